import { testJpegXl } from "./jxl-suite.ts";

testJpegXl("chromium");
