import { describeSealed } from "./sealed-suite.ts";

describeSealed("chromium");
