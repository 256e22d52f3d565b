import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { TextWord } from "../../src/shared/protocol.ts";
import { drawnPdf } from "../support/fixtures/drawn-pdf.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { mustRun } from "../support/oracles.ts";
import { pagesOf } from "../support/pages-of-text.ts";
import { onDisk } from "../support/pdf-files.ts";

const WASM = createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");
vi.mock("../../workers/wasm/wasm-module.ts", () => ({
  wasmModule: async () => WebAssembly.compile(await readFile(WASM)),
}));

const missing = announceMissing("the places of words", ["pdftotext"]);

/** The place of a word, as poppler finds it on the page as it is shown. */
async function nativeWords(path: string): Promise<readonly TextWord[]> {
  const xml = (await mustRun("pdftotext", ["-bbox", "-cropbox", path, "-"])).toString();
  const found = xml.matchAll(/xMin="([^"]+)" yMin="([^"]+)" xMax="([^"]+)" yMax="([^"]+)">([^<]+)</g);
  return [...found].map(([, ...values]) => {
    const [x = 0, y = 0, right = 0, bottom = 0] = values.slice(0, 4).map(Number);
    return { text: values[4] ?? "", x, y, width: right - x, height: bottom - y };
  });
}

const HELVETICA = "/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>";
const CONTENT =
  "BT /F1 12 Tf 60 150 Td (Some words) Tj 0 -40 Td (below) Tj 0 1 -1 0 250 60 Tm (upward) Tj " +
  "0 -1 1 0 280 140 Tm (down) Tj -1 0 0 -1 200 90 Tm (turned over) Tj ET";

describe.skipIf(missing.length > 0)("words have the places that pdftotext finds", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  const CROPPED = "/MediaBox[-50 -20 350 250]/CropBox[20 30 310.5 190]";
  test.each([
    ["/MediaBox[0 0 300 200]"],
    [CROPPED],
    [`${CROPPED}/Rotate 90`],
    [`${CROPPED}/Rotate 180`],
    [`${CROPPED}/Rotate -90`],
  ])("on a page with %s", async (entries) => {
    const bytes = drawnPdf([{ content: CONTENT, entries, resources: HELVETICA }]);
    const [page] = await pagesOf(bytes);
    const natives = await nativeWords(onDisk(scratch, bytes));
    expect(natives).toHaveLength(7);
    expect(page?.words).toHaveLength(7);
    for (const native of natives) {
      const word = page?.words.find(({ text }) => text === native.text);
      // The heights of lines differ: poppler and PDFium take other ascents and descents.
      for (const key of ["x", "y", "width", "height"] as const)
        expect(Math.abs((word?.[key] ?? Number.NaN) - native[key])).toBeLessThan(3);
      const center = ({ x, y, width, height }: TextWord) => [x + width / 2, y + height / 2];
      const [[x = 0, y = 0], [nativeX = 0, nativeY = 0]] = [center(word ?? native), center(native)];
      expect(Math.hypot(x - nativeX, y - nativeY)).toBeLessThan(1.5);
    }
  });

  test("in points, whatever the user unit", async () => {
    const entries = "/MediaBox[0 0 300 200]";
    const page = { content: CONTENT, entries, resources: HELVETICA };
    const [plain, large] = await pagesOf(drawnPdf([page, { ...page, entries: `${entries}/UserUnit 2.5` }]));
    const enlarged = plain?.words.map(({ text, ...place }) => [
      text,
      ...Object.values(place).map((points) => 2.5 * points),
    ]);
    const found = large?.words.map(({ text, ...place }) => [text, ...Object.values(place)]);
    expect(found).toHaveLength(7);
    for (const [index, [text, ...places]] of (found ?? []).entries()) {
      const [expected, ...numbers] = enlarged?.[index] ?? [];
      expect(text).toBe(expected);
      for (const [at, value] of places.entries()) expect(value).toBeCloseTo(Number(numbers[at]), 1);
    }
  });

  test("of a slanted word by the upright box around it", async () => {
    const slanted = "BT /F1 12 Tf 0.8 0.6 -0.6 0.8 60 60 Tm (slanted) Tj ET";
    const bytes = drawnPdf([{ content: slanted, entries: "/MediaBox[0 0 300 200]", resources: HELVETICA }]);
    const [word] = (await pagesOf(bytes))[0]?.words ?? [];
    // 41.4 points long, at an angle whose cosine is 0.8, and some 11 to 14 points high.
    expect(word?.width).toBeGreaterThan(0.8 * 41 + 0.6 * 10);
    expect(word?.width).toBeLessThan(0.8 * 42 + 0.6 * 15);
    expect(word?.height).toBeGreaterThan(0.6 * 41 + 0.8 * 10);
    expect(word?.height).toBeLessThan(0.6 * 42 + 0.8 * 15);
  });
});
