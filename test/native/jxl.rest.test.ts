import { testJpegXl } from "./jxl-suite.ts";

testJpegXl("firefox");
