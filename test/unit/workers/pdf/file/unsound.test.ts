import { describe, expect, it } from "vitest";
import { bufferSource } from "../../../../../workers/io/source.ts";
import { PdfDocument } from "../../../../../workers/pdf/file/document.ts";
import { protectBytes, repairBytes, unlockBytes } from "../../../../support/engine.ts";
import { catalogOf, packedPdfOf, pageOf, pdfOf } from "../../../../support/fixtures/pdf-objects.ts";
import { bytesOf, repairedText, splitTexts, textOf, unlockedText } from "../../../../support/made-texts.ts";

it("protect writes a readable file when the trailer's Size is wrong", async () => {
  const input = textOf(pdfOf([...catalogOf("3 0 R"), pageOf(3)]));
  const lying = bytesOf(input.replace(/\/Size \d+/, "/Size 99999999"));
  const plain = await unlockBytes(await protectBytes(lying, { password: "x" }), "x");
  expect(PdfDocument.open(bufferSource(plain)).isRebuilt).toBe(false);
});

it("protects an object at offset 0 that follows the header", async () => {
  const input = textOf(pdfOf([...catalogOf("3 0 R"), pageOf(3)]));
  const shifted = bytesOf(input.replace("0000000009 00000 n", "0000000000 00000 n"));
  expect(await unlockedText(shifted)).toContain("/Type /Catalog");
});

it("keeps the page whose number an Encrypt reference of another generation names", async () => {
  const input = textOf(pdfOf([...catalogOf("3 0 R"), pageOf(3)]));
  const odd = bytesOf(input.replace("/Root", "/Encrypt 3 1 R/Root"));
  expect(await unlockedText(odd)).toContain("/Type /Page/");
});

it("leaves a missing page out of a repaired page tree", async () => {
  const text = await repairedText(pdfOf([...catalogOf("3 0 R 9 0 R"), pageOf(3)]));
  expect(text).toContain("/Count 1/Kids [3 0 R]");
});

it("keeps a readable catalog around resources at the depth limit", async () => {
  const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const input = pdfOf([
    ...catalogOf("3 0 R", "/AcroForm<</DR 5 0 R/Fields[4 0 R]>>"),
    pageOf(3, "/Annots[4 0 R]"),
    { num: 4, body: "<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/Rect[0 0 9 9]>>" },
    { num: 5, body: `<</ProcSet ${nested(498)}>>` },
  ]);
  const [file = ""] = await splitTexts(input);
  expect(await repairedText(bytesOf(file))).toContain("/AcroForm");
});

describe("an object beyond the limits", () => {
  const nested = (depth: number) => `${"[".repeat(depth)}(KEPT)${"]".repeat(depth)}`;
  const fileWith = (body: string) =>
    pdfOf([...catalogOf("3 0 R", "/X 5 0 R"), pageOf(3, "/X 5 0 R"), { num: 5, body }]);
  const packed = (body: string) =>
    packedPdfOf([...catalogOf("3 0 R", "/X 5 0 R"), pageOf(3, "/X 5 0 R")], [{ num: 5, body }]);

  it("is damaged_file when it nests too deep", async () => {
    const refused = { code: "damaged_file" };
    const body = nested(501);
    await expect(unlockedText(fileWith(body))).rejects.toMatchObject(refused);
    for (const input of [fileWith(body), packed(body)]) {
      await expect(repairedText(input)).rejects.toMatchObject(refused);
      await expect(splitTexts(input)).rejects.toMatchObject(refused);
    }
  });

  it("does not matter when nothing refers to it", async () => {
    const objects = [...catalogOf("3 0 R"), pageOf(3), { num: 5, body: nested(501) }];
    expect(await unlockedText(pdfOf(objects))).toContain("/Page");
  });
});

it("ignores an Encrypt reference to a missing object", async () => {
  const input = pdfOf([...catalogOf("3 0 R"), pageOf(3)], "/Root 1 0 R/Encrypt 9 0 R");
  await expect(unlockBytes(input, "")).rejects.toMatchObject({ code: "not_encrypted" });
  expect(await repairedText(input)).not.toContain("/Encrypt");
});

it("is damaged_file when a damaged file has lost its encryption dictionary", async () => {
  const whole = textOf(pdfOf([...catalogOf("3 0 R"), pageOf(3)], "/Root 1 0 R/Encrypt 9 0 R"));
  const damaged = bytesOf(whole.replace("startxref\n", "startxref\n9"));
  await expect(repairBytes(damaged)).rejects.toMatchObject({ code: "damaged_file" });
});

it("reads an object whose generation number is not the one of the table", async () => {
  const text = textOf(pdfOf([...catalogOf("3 0 R"), pageOf(3)]));
  expect(await unlockedText(bytesOf(text.replace("3 0 obj", "3 9 obj")))).toContain(
    "3 0 obj\n<</Type /Page/",
  );
});

it("repairs a page tree whose shared lists double at every level", async () => {
  const input = pdfOf([
    { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
    { num: 2, body: `<</Type/Pages/Kids 4 0 R>>` },
    pageOf(3),
    { num: 4, body: `[3 0 R${"<</Kids 4 0 R>>".repeat(8)}]` },
  ]);
  expect((await repairBytes(input)).length).toBeLessThan(2 * input.length);
});

it("removes a crypt filter of an earlier encryption", async () => {
  const input = pdfOf([
    ...catalogOf("3 0 R"),
    pageOf(3, "/Contents 4 0 R"),
    { num: 4, body: "<</Filter[/Crypt]/DecodeParms[<</Name/Gone>>]>>", stream: "KEPT" },
  ]);
  expect(await unlockedText(input)).toContain("KEPT");
});
