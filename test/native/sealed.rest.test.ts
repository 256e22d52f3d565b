import { describeSealed } from "./sealed-suite.ts";

for (const name of ["firefox", "webkit"] as const) describeSealed(name);
