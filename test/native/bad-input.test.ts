import { afterAll, describe, expect, test } from "vitest";
import { protectBytes, repairBytes, splitBytes, unlockBytes } from "../support/engine.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { MARKED_PAGES, makeMarkedPdf } from "../support/fixtures/pdf-marked.ts";
import { pageOf, pdfOf } from "../support/fixtures/pdf-objects.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { popplerInfo, popplerText, qpdfCheck, qpdfEncrypt, qpdfRewrite } from "../support/oracles.ts";
import { fromDisk, onDisk, refusalOf } from "../support/pdf-files.ts";

const OPERATIONS: readonly (readonly [string, (input: Uint8Array) => Promise<unknown>])[] = [
  ["protect", (input) => protectBytes(input, { password: "secret" })],
  ["unlock", (input) => unlockBytes(input, "secret")],
  ["split", (input) => splitBytes(input, { pages: "all" })],
  ["repair", (input) => repairBytes(input)],
];

const ascii = (text: string) => new TextEncoder().encode(text);

/** The first part of a file, like an aborted download. */
function truncated(pdf: Uint8Array, share: number): Uint8Array {
  return pdf.slice(0, Math.floor(pdf.length * share));
}

describe.each(OPERATIONS)("%s", (name, operate) => {
  test.each([
    ["nothing", new Uint8Array()],
    ["text", ascii("Dear Sir or Madam,\nthis is no PDF.\n")],
    ["a header and no more", ascii("%PDF-1.7\n")],
    ["zeros", new Uint8Array(100_000)],
  ])("returns damaged_file for %s", async (_, input) => {
    expect(await refusalOf(operate(input))).toMatchObject({ code: "damaged_file" });
  });

  test.each([
    ["a PDF without pages", makePdf({ pages: 0 })],
    ["a PDF broken off before its first page", truncated(makePdf({ pages: 3 }), 0.05)],
  ])("refuses %s", async (_, input) => {
    const expected = name === "unlock" ? "not_encrypted" : "damaged_file";
    expect(await refusalOf(operate(input))).toMatchObject({ code: expected });
  });
});

const missing = announceMissing("repairing damaged files", ["qpdf", "pdftotext", "pdfinfo"]);

describe.skipIf(missing.length > 0)("a truncated PDF", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  test("keeps every page when its cross-reference is cut off", async () => {
    const whole = makeMarkedPdf();
    const start = Buffer.from(whole).indexOf("xref\n0 ");
    const input = whole.slice(0, start + 200);
    const outputs = [
      { path: onDisk(scratch, await repairBytes(input)), password: undefined },
      { path: onDisk(scratch, await protectBytes(input, { password: "secret" })), password: "secret" },
    ];
    for (const { path, password } of outputs) {
      expect(await qpdfCheck(path, password)).toMatchObject({ verdict: "ok", pageCount: MARKED_PAGES });
    }
    expect(await splitBytes(input, { pages: "all" })).toHaveLength(MARKED_PAGES);
  });

  test("keeps every page when its trailer is cut off and its catalog is in an object stream", async () => {
    const input = onDisk(scratch, makeMarkedPdf());
    const packed = scratch.path("packed.pdf");
    await qpdfRewrite(input, packed, ["--object-streams=generate"]);
    const whole = Buffer.from(fromDisk(packed)).toString("latin1");
    const brokenOff = whole.slice(0, whole.lastIndexOf(" 0 obj", whole.lastIndexOf("/XRef")));
    expect(brokenOff).not.toContain("/Catalog");
    const path = onDisk(scratch, await repairBytes(Uint8Array.from(Buffer.from(brokenOff, "latin1"))));
    expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", pageCount: MARKED_PAGES });
    expect(await popplerText(path)).toEqual(await popplerText(input));
  });

  test("stays encrypted when its trailer is cut off", async () => {
    const input = onDisk(scratch, makeMarkedPdf());
    const brokenOff = async (scheme: "AES-256 R6" | "AES-128") => {
      const path = scratch.path("encrypted.pdf");
      await qpdfEncrypt(input, path, { user: "user", owner: "owner" }, scheme);
      const whole = fromDisk(path);
      return whole.slice(0, Buffer.from(whole).indexOf("xref\n0 "));
    };
    const file = await brokenOff("AES-256 R6");
    const path = onDisk(scratch, await unlockBytes(file, "user"));
    expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", encrypted: false, pageCount: MARKED_PAGES });
    expect(await popplerText(path)).toEqual(await popplerText(input));
    const refused = (call: Promise<unknown>, code: string) => expect(call).rejects.toMatchObject({ code });
    await refused(repairBytes(file), "password_required");
    await refused(splitBytes(file, { pages: "1", password: "else" }), "wrong_password");
    await refused(protectBytes(file, { password: "else" }), "already_encrypted");
    // The file identifier in the trailer is needed to check the password.
    await refused(unlockBytes(await brokenOff("AES-128"), "user"), "damaged_file");
  });

  test.each([0.2, 0.35, 0.5, 0.65, 0.8, 0.95])(
    "is repaired or refused with damaged_file when it ends after %d of its length",
    async (share) => {
      const input = truncated(makeMarkedPdf(), share);
      try {
        const { verdict } = await qpdfCheck(onDisk(scratch, await repairBytes(input)));
        expect(verdict).not.toBe("error");
      } catch (error) {
        expect(error).toMatchObject({ name: "ServiceError", code: "damaged_file" });
      }
    },
  );
});

describe.skipIf(missing.length > 0)("a PDF whose cross-reference has wrong offsets", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  const contentOf = (text: string) => `BT /F 24 Tf 9 50 Td (${text}) Tj ET`;
  const streamWithLength = (text: string, length: number) =>
    `<</Length ${length} 0 R>>\nstream\n${contentOf(text)}\nendstream`;
  const page = (contents: number) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents ${contents} 0 R/Resources<</Font<</F 7 0 R>>>>>>`;
  const sound = pdfOf([
    { num: 1, body: "<</Type/Catalog/Pages 2 0 R>>" },
    { num: 2, body: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>" },
    { num: 3, body: page(5) },
    { num: 4, body: page(8) },
    { num: 5, body: streamWithLength("FIRST", 6) },
    { num: 6, body: String(contentOf("FIRST").length) },
    { num: 7, body: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>" },
    { num: 8, body: streamWithLength("SECOND", 9) },
    { num: 9, body: String(contentOf("SECOND").length) },
  ]);

  test.each([
    ["a length, a font and a page's content", [6, 7, 8, 9]],
    ["the last stream's length", [9]],
  ])("keeps all objects: %s", async (_, misplaced) => {
    let at = -1;
    const text = Buffer.from(sound).toString("latin1");
    const wrong = text.replace(/\d{10}(?= \d{5} [fn])/g, (offset) => {
      at++;
      return misplaced.includes(at) ? String(Number(offset) + 1).padStart(10, "0") : offset;
    });
    const input = Uint8Array.from(Buffer.from(wrong, "latin1"));
    const locked = await protectBytes(input, { password: "" });
    for (const output of [locked, await unlockBytes(locked, ""), await repairBytes(input)]) {
      const path = onDisk(scratch, output);
      expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", pageCount: 2 });
      expect((await popplerText(path)).toString()).toMatch(/FIRST\s+SECOND/);
    }
  });
});

describe.skipIf(missing.length > 0)("a PDF whose trailer holds the catalog itself", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  test("is written with the catalog as an object", async () => {
    const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>";
    const input = pdfOf(
      [
        { num: 2, body: "<</Type/Pages/Count 1/Kids[3 0 R]>>" },
        pageOf(3, `/Contents 4 0 R/Resources<</Font<</F ${font}>>>>`),
        { num: 4, body: "<<>>", stream: "BT /F 24 Tf 9 50 Td (TEXT) Tj ET" },
      ],
      "/Root<</Type/Catalog/Pages 2 0 R>>/Info<</Title(Title)>>",
    );
    const locked = await protectBytes(input, { password: "" });
    for (const output of [locked, await unlockBytes(locked, ""), await repairBytes(input)]) {
      const path = onDisk(scratch, output);
      expect(await qpdfCheck(path)).toMatchObject({ verdict: "ok", pageCount: 1 });
      expect((await popplerText(path)).toString()).toContain("TEXT");
      expect((await popplerInfo(path)).get("Title")).toBe("Title");
    }
  });
});

describe("a page selection", () => {
  test.each([
    ["", 0],
    ["0", 0],
    ["-3", 0],
    ["1-2-3", 3],
    ["1,,2", 2],
    ["abc", 0],
  ])("%j: the error names the position %d", async (pages, position) => {
    for (const call of [
      splitBytes(makePdf({ pages: 3 }), { pages }),
      repairBytes(makePdf({ pages: 3 }), { pages }),
    ]) {
      expect(await refusalOf(call)).toMatchObject({ code: "invalid_page_selection", details: { position } });
    }
  });

  test.each([
    ["1-999", 2],
    ["4", 0],
    ["1,2,7", 4],
  ])("%j: the error names the number of pages", async (pages, position) => {
    for (const call of [
      splitBytes(makePdf({ pages: 3 }), { pages }),
      repairBytes(makePdf({ pages: 3 }), { pages }),
    ]) {
      const refusal = await refusalOf(call);
      expect(refusal).toMatchObject({ code: "invalid_page_selection", details: { position, page_count: 3 } });
      expect(refusal.message).toContain("3 pages");
    }
  });
});

test("no error message contains the password", async () => {
  const locked = await protectBytes(makePdf({ pages: 1 }), { password: "right-0451" });
  const refusals = [
    await refusalOf(unlockBytes(locked, "wrong-1984")),
    await refusalOf(splitBytes(locked, { pages: "1", password: "wrong-1984" })),
    await refusalOf(protectBytes(locked, { password: "wrong-1984" })),
    await refusalOf(protectBytes(makePdf({ pages: 1 }), { password: "wrong-1984".repeat(13) })),
  ];
  for (const refusal of refusals) expect(JSON.stringify(refusal)).not.toMatch(/0451|1984/);
});
