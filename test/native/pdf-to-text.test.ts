import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { afterAll, describe, expect, test, vi } from "vitest";
import { FEATURES } from "../support/fixtures/drawn-features.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { mustRun } from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";
import { textOf } from "../support/text-of.ts";
import { wordShares } from "../support/word-shares.ts";

const WASM = createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");
vi.mock("../../workers/wasm/wasm-module.ts", () => ({
  wasmModule: async () => WebAssembly.compile(await readFile(WASM)),
}));

const missing = announceMissing("the text of PDFs", ["pdftotext", "qpdf"]);
const scratch = new Scratch();
afterAll(() => scratch.remove());

async function nativeText(path: string): Promise<string> {
  return (await mustRun("pdftotext", ["-enc", "UTF-8", path, "-"])).toString();
}

describe.skipIf(missing.length > 0)("a PDF has the words that pdftotext reads", () => {
  test.each([...FEATURES])("%s", async (name, bytes) => {
    const path = onDisk(scratch, bytes, `${name}.pdf`);
    expect(wordShares(await textOf(bytes), await nativeText(path))).toEqual([1]);
  });

  test("on each of many pages", async () => {
    const bytes = makePdf({ pages: 120 });
    const path = onDisk(scratch, bytes, "many.pdf");
    expect(await textOf(bytes)).toBe((await nativeText(path)).replaceAll("\n\n", "\n").replace(/\f$/, ""));
  });
});
