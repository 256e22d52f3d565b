import { afterAll, describe, expect, test } from "vitest";
import { Converter } from "../support/browsers/converter.ts";
import {
  metadataPdf,
  nestedFormsPdf,
  nestedFunctionsPdf,
  nestedMasksPdf,
  repeatedPagePdf,
} from "../support/fixtures/hostile-drawing.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";
import { ENDLESS, testHostileDrawings } from "./hostile-drawing-suite.ts";

// hostile-drawing.alone.test.ts measures time and memory in Chromium.
describe.each(["firefox", "webkit"] as const)("a small hostile PDF in %s", (browser) => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  test("gets an answer, and the next call works", async () => {
    const converter = await Converter.start(browser);
    try {
      const refused = async (bytes: Uint8Array<ArrayBuffer>, output_format: string) =>
        converter.refusalOf(onDisk(scratch, bytes, "hostile.pdf"), { output_format });
      for (const format of ["png", "txt"]) {
        expect(await refused(nestedFormsPdf(), format)).toMatchObject({ code: "input_too_large" });
        expect(await refused(repeatedPagePdf(200_000), format)).toMatchObject({ code: "input_too_large" });
      }
      expect(await refused(nestedFunctionsPdf(), "png")).toMatchObject({ code: "input_too_large" });
      const sound = onDisk(scratch, makePdf({ pages: 1 }), "sound.pdf");
      expect(await converter.convert(sound, { output_format: "png" })).toContain("png");
    } finally {
      await converter.close();
    }
  });
});

describe("a small hostile PDF in Chromium", () => {
  testHostileDrawings([
    { what: "has nested forms", input: nestedFormsPdf, call: "png", outcome: ENDLESS },
    { what: "has nested forms", input: nestedFormsPdf, call: "txt", outcome: ENDLESS },
    { what: "has nested forms on 6 pages", input: () => nestedFormsPdf(6), call: "png", outcome: ENDLESS },
    {
      what: "has large metadata",
      input: () => metadataPdf(1000),
      call: "renderPages",
      outcome: "input_too_large memory_bytes",
    },
    { what: "has nested masks", input: nestedMasksPdf, call: "png", outcome: ENDLESS },
  ]);
});
