import { describeExits } from "./exits-suite.ts";

describeExits("chromium");
