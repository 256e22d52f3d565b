import { describeExits } from "./exits-suite.ts";

describeExits("firefox");
describeExits("webkit");
