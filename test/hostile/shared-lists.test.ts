import { describeSharedLists, operationOf } from "./shared-list-suite.ts";

describeSharedLists((place) => [operationOf(place)]);
