import { describeSharedLists, otherOperationsOf } from "./shared-list-suite.ts";

describeSharedLists(otherOperationsOf);
