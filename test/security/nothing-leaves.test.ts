import { describeNothingLeaves } from "./nothing-leaves-suite.ts";

describeNothingLeaves("chromium");
