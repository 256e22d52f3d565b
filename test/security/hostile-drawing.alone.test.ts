import { describe, expect, test } from "vitest";
import { nestedFunctionsPdf, repeatedPagePdf } from "../support/fixtures/hostile-drawing.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { ENDLESS, testHostileDrawings } from "./hostile-drawing-suite.ts";

const LIMITS = { seconds: 75, stillSeconds: 1.5 };
const REPEATED = "input_too_large repeated_pages";
const pageListed = (times: number) => () => repeatedPagePdf(times);

describe("a small hostile PDF in Chromium", () => {
  const measure = testHostileDrawings(
    [
      { what: "lists a page 200,000 times", input: pageListed(200_000), call: "png", outcome: REPEATED },
      { what: "lists a page 200,000 times", input: pageListed(200_000), call: "txt", outcome: REPEATED },
      { what: "lists a page 200,000 times", input: pageListed(200_000), call: "split", outcome: REPEATED },
      {
        what: "lists a page 9,000 times",
        input: pageListed(9000),
        call: "txt",
        outcome: "unsupported_conversion",
      },
      { what: "has nested functions", input: nestedFunctionsPdf, call: "renderPages", outcome: ENDLESS },
    ],
    ({ seconds, stillSeconds }) => {
      expect(seconds).toBeLessThan(LIMITS.seconds);
      expect(stillSeconds).toBeLessThan(LIMITS.stillSeconds);
    },
  );

  test("does not keep a sound PDF of 2,000 pages from becoming pictures", async () => {
    const { outcome, stillSeconds, nextCallWorks } = await measure(makePdf({ pages: 2000 }), "renderPages");
    expect({ outcome, nextCallWorks }).toEqual({ outcome: "done", nextCallWorks: true });
    expect(stillSeconds).toBeLessThan(LIMITS.stillSeconds);
  });
});
