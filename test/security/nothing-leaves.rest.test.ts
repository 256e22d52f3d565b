import { describeNothingLeaves } from "./nothing-leaves-suite.ts";

for (const name of ["firefox", "webkit"] as const) describeNothingLeaves(name);
