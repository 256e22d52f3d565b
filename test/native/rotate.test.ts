import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { bufferSource } from "../../workers/io/source.ts";
import { PdfDocument } from "../../workers/pdf/file/document.ts";
import { shownSize } from "../../workers/pdf/pages/page-size.ts";
import { readPages } from "../../workers/pdf/pages/page-tree.ts";
import { mergeBytes, repairBytes, splitBytes } from "../support/engine.ts";
import { drawnPdf, QUARTERS } from "../support/fixtures/drawn-pdf.ts";
import { makeMarkedPdf } from "../support/fixtures/pdf-marked.ts";
import { popplerDrawsAll } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { mustRun, qpdfCheck, qpdfWrites } from "../support/oracles.ts";
import { fromDisk, onDisk } from "../support/pdf-files.ts";

const missing = announceMissing("rotated pages", ["qpdf", "pdftoppm", "pdfinfo"]);

const scratch = new Scratch();
afterAll(() => scratch.remove());

/** Four pages with an annotation each, and rotations of many kinds. */
function quarters(): Uint8Array<ArrayBuffer> {
  const note = (rest = "") =>
    `/Annots[<</Type/Annot/Subtype/Square/Rect[5 5 25 15]/C[0 0 0]/IC[1 1 1]/F 4/AP<</N 2000 0 R>>>>]${rest}`;
  const appearance = {
    num: 2000,
    body: "<</Type/XObject/Subtype/Form/BBox[0 0 20 10]>>",
    stream: "0 g 0 0 9 10 re f",
  };
  const pages = [note(), note("/Rotate 90"), note("/Rotate -90"), note("/Rotate 630")];
  return drawnPdf(
    pages.map((entries) => ({ content: QUARTERS, entries })),
    { objects: [appearance] },
  );
}

/** The file as native qpdf rotates it. */
async function rotatedByQpdf(bytes: Uint8Array, ...rotations: readonly string[]): Promise<Uint8Array> {
  const output = scratch.path("rotated.pdf");
  const options = rotations.map((rotation) => `--rotate=${rotation}`);
  expect(await qpdfWrites([onDisk(scratch, bytes), ...options, output])).toBe("ok");
  return fromDisk(output);
}

/** A digest of each page as poppler draws it. */
async function draw(bytes: Uint8Array): Promise<readonly string[]> {
  const pages = await popplerDrawsAll(onDisk(scratch, bytes));
  return pages.map((page) => createHash("sha256").update(page).digest("hex"));
}

/** The entry `Rotate` of each page as poppler reads it. */
async function rotations(bytes: Uint8Array): Promise<readonly number[]> {
  const info = await mustRun("pdfinfo", ["-f", "1", "-l", "-1", onDisk(scratch, bytes)]);
  return [...info.toString("latin1").matchAll(/rot: +(-?\d+)/g)].map(([, value]) => Number(value));
}

async function expectSound(bytes: Uint8Array): Promise<void> {
  expect(await qpdfCheck(onDisk(scratch, bytes))).toMatchObject({ verdict: "ok", complaint: "" });
}

describe.skipIf(missing.length > 0)("rotated pages are drawn as those of qpdf", () => {
  test.each([
    ["90", ["+90"]],
    ["-90", ["-90"]],
    ["180:1,3;-90:4", ["+180:1,3", "-90:4"]],
    ["90:all,x2", ["+90:1,3,4"]],
  ])("in a whole document: %s", async (rotate, byQpdf) => {
    const rotated = await repairBytes(quarters(), { rotate });
    await expectSound(rotated);
    expect(await draw(rotated)).toEqual(await draw(await rotatedByQpdf(quarters(), ...byQpdf)));
    expect(await draw(rotated)).not.toEqual(await draw(quarters()));
  });

  test("in some pages, by their numbers in the input, also with an inherited rotation", async () => {
    const input = makeMarkedPdf();
    const byQpdf = await draw(await rotatedByQpdf(input, "+90:2", "+180:3"));
    const rotate = "90:2;180:3";
    const repaired = await repairBytes(input, { pages: "3,2", rotate });
    await expectSound(repaired);
    expect(await draw(repaired)).toEqual([byQpdf[2], byQpdf[1]]);
    const [file] = await splitBytes(input, { pages: "2-3", rotate });
    expect(await draw(file?.bytes ?? new Uint8Array())).toEqual(byQpdf.slice(1, 3));
    const whole = await repairBytes(input, { rotate });
    await expectSound(whole);
    expect(await draw(whole)).toEqual(byQpdf);
  });

  test("in each document of a merge", async () => {
    const merged = await mergeBytes([
      { bytes: quarters(), pages: "2,1", rotate: "90:1" },
      { bytes: quarters() },
      { bytes: quarters(), rotate: "180" },
    ]);
    await expectSound(merged);
    const plain = await draw(quarters());
    const turned = await draw(await rotatedByQpdf(quarters(), "+90"));
    const upsideDown = await draw(await rotatedByQpdf(quarters(), "+180"));
    expect(await draw(merged)).toEqual([plain[1], turned[0], ...plain, ...upsideDown]);
  });
});

describe.skipIf(missing.length > 0)("the entry Rotate", () => {
  test("is the sum of both rotations, from 0 to 270, and the shown size follows it", async () => {
    const rotated = await repairBytes(quarters(), { rotate: "90" });
    expect(await rotations(rotated)).toEqual([90, 180, 0, 0]);
    const [file] = await splitBytes(quarters(), { by: { kind: "every", count: 4 }, rotate: "-90" });
    expect(await rotations(file?.bytes ?? new Uint8Array())).toEqual([270, 0, 180, 180]);
    const pages = readPages(PdfDocument.open(bufferSource(rotated)));
    expect(pages.map((page) => shownSize(page).width)).toEqual([60, 100, 100, 100]);
  });

  test("stays as it is in other pages, and all annotations stay", async () => {
    const rotated = await repairBytes(quarters(), { rotate: "180:1" });
    const count = (bytes: Uint8Array) =>
      Buffer.from(bytes)
        .toString("latin1")
        .match(/\/Subtype\/?\s*\/Square/g)?.length;
    expect(count(rotated)).toBe(4);
    expect((await rotations(rotated)).slice(0, 3)).toEqual([180, 90, 270]);
  });

  test("is that of a page that the document lists twice, once for each place", async () => {
    const text = Buffer.from(quarters())
      .toString("latin1")
      .replace("/Kids[10 0 R 12 0 R", "/Kids[10 0 R 10 0 R");
    const rotated = await repairBytes(new Uint8Array(Buffer.from(text, "latin1")), { rotate: "90:2" });
    await expectSound(rotated);
    expect((await rotations(rotated)).slice(0, 2)).toEqual([0, 90]);
  });
});

test("refuses a page that the document does not have", async () => {
  await expect(repairBytes(quarters(), { rotate: "90:5" })).rejects.toMatchObject({
    code: "invalid_page_selection",
    details: { position: 3, page_count: 4 },
  });
  const merged = mergeBytes([{ bytes: quarters() }, { bytes: quarters(), rotate: "90:1-5" }]);
  await expect(merged).rejects.toMatchObject({
    code: "invalid_page_selection",
    details: { position: 5, page_count: 4, file_index: 1 },
  });
});
