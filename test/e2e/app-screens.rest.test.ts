import { describeScreens, PHONE, useDemo } from "./app-screens-suite.ts";

useDemo();
describeScreens(PHONE);
