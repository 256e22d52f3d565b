import { inflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { protectBytes, repairBytes, splitBytes } from "../support/engine.ts";
import {
  KINDS_SAID,
  KINDS_SEEN,
  MARKED_AUTHOR,
  MARKED_PAGES,
  MARKED_TITLE,
  makeMarkedPdf,
  marksIn,
} from "../support/fixtures/pdf-marked.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import {
  popplerInfo,
  popplerText,
  qpdfCanonical,
  qpdfCheck,
  qpdfEncrypt,
  qpdfPages,
  qpdfRewrite,
} from "../support/oracles.ts";
import { fromDisk, onDisk, refusalOf } from "../support/pdf-files.ts";

/** Selections and their pages in a document of {@link MARKED_PAGES} pages, written by hand. */
const SELECTIONS: readonly (readonly [string, readonly (readonly number[])[]])[] = [
  ["1", [[1]]],
  ["2,5", [[2], [5]]],
  ["3-4", [[3, 4]]],
  ["last,1-2", [[6], [1, 2]]],
  ["odd", [[1, 3, 5]]],
  ["5-3", [[5, 4, 3]]],
];

/**
 * All content of a file: its bytes, all decompressed streams, whether a table lists them or not, and strings in
 * hexadecimal or UTF-16.
 */
function everythingIn(pdf: Uint8Array): string {
  const raw = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length);
  const texts = [raw.toString("latin1")];
  for (let at = raw.indexOf("stream"); at !== -1; at = raw.indexOf("stream", at + 6)) {
    const start = raw[at + 6] === 0x0d ? at + 8 : at + 7;
    texts.push(inflated(raw.subarray(start)));
  }
  const plain = texts.join("\n");
  const hexadecimal = [...plain.matchAll(/<([0-9A-Fa-f\s]{8,})>/g)].map(([, digits = ""]) =>
    Buffer.from(digits.replace(/\s/g, ""), "hex").toString("latin1"),
  );
  return [plain, ...hexadecimal, plain.replaceAll("\0", "")].join("\n");
}

function inflated(bytes: Buffer): string {
  try {
    return inflateSync(bytes).toString("latin1");
  } catch {
    // Streams that cannot be decompressed are part of the raw bytes.
    return "";
  }
}

const missing = announceMissing("what a split file holds", ["qpdf", "pdftotext", "pdfinfo"]);

describe.skipIf(missing.length > 0).concurrent("a file split off a marked document", () => {
  const scratch = new Scratch();
  const variants = new Map<string, string>();

  beforeAll(async () => {
    const asWritten = onDisk(scratch, makeMarkedPdf());
    const rewritten = async (...options: string[]) => {
      const path = scratch.path("variant.pdf");
      await qpdfRewrite(asWritten, path, options);
      return path;
    };
    const encrypted = scratch.path("encrypted.pdf");
    await qpdfEncrypt(asWritten, encrypted, { user: "", owner: "owner" });
    variants.set("as written", asWritten);
    variants.set("in object streams", await rewritten("--object-streams=generate", "--compress-streams=y"));
    variants.set("uncompressed", await rewritten("--stream-data=uncompress", "--object-streams=disable"));
    variants.set("linearized", await rewritten("--linearize"));
    variants.set("encrypted", encrypted);
  });
  afterAll(() => scratch.remove());

  describe.each(["as written", "in object streams", "uncompressed", "linearized", "encrypted"])(
    "%s",
    (variant) => {
      test.each(SELECTIONS)(
        "by %j holds the marks of its pages and of no other page",
        async (pages, expected) => {
          const path = variants.get(variant) ?? "";
          const files = await splitBytes(fromDisk(path), { pages });
          expect(files).toHaveLength(expected.length);
          for (const [index, { bytes }] of files.entries()) {
            const kept = expected[index] ?? [];
            const output = onDisk(scratch, bytes);
            expect(await qpdfCheck(output)).toMatchObject({
              verdict: "ok",
              encrypted: false,
              pageCount: kept.length,
            });
            const marks = marksIn(`${everythingIn(bytes)}\n${await qpdfCanonical(output)}`);
            const strangers = marks.filter(({ page }) => !kept.includes(page));
            expect(strangers).toEqual([]);
            for (const page of kept) {
              const kinds = marks.filter((mark) => mark.page === page).map(({ kind }) => kind);
              expect(kinds).toEqual(expect.arrayContaining([...KINDS_SEEN]));
            }
          }
        },
      );

      test("keeps page labels, title, language and tags", async () => {
        const files = await splitBytes(fromDisk(variants.get(variant) ?? ""), { pages: "2-3,6" });
        for (const [index, { bytes }] of files.entries()) {
          const output = onDisk(scratch, bytes);
          const content = await qpdfCanonical(output);
          for (const page of index === 0 ? [2, 3] : [6]) {
            const kinds = marksIn(content).flatMap((mark) => (mark.page === page ? [mark.kind] : []));
            expect(kinds).toEqual(expect.arrayContaining([...KINDS_SAID]));
          }
          const info = await popplerInfo(output);
          expect(["Title", "Author", "Tagged", "Form", "JavaScript"].map((key) => info.get(key))).toEqual([
            MARKED_TITLE,
            MARKED_AUTHOR,
            "yes",
            "AcroForm",
            "no",
          ]);
          expect(content).toContain("/Lang (en-GB)");
          expect(content).toContain("about the whole document");
        }
      });

      test("looks like native qpdf's extraction of the same pages", async () => {
        const path = variants.get(variant) ?? "";
        const [ours] = await splitBytes(fromDisk(path), { pages: "2-4" });
        const native = scratch.path("native.pdf");
        await qpdfPages(path, native, "2-4");
        const output = onDisk(scratch, ours?.bytes ?? new Uint8Array());
        expect(await popplerText(output)).toEqual(await popplerText(native));
        const [info, nativeInfo] = [await popplerInfo(output), await popplerInfo(native)];
        for (const key of ["Pages", "Page size", "Page rot"]) {
          expect([key, info.get(key)]).toEqual([key, nativeInfo.get(key)]);
        }
      });
    },
  );

  test("is named by its pages", async () => {
    const files = await splitBytes(makeMarkedPdf(), { pages: "1,3-5,last,6", name: "report" });
    expect(files.map(({ name }) => name)).toEqual([
      "report-1.pdf",
      "report-3-5.pdf",
      "report-6.pdf",
      "report-6 (2).pdf",
    ]);
  });

  test("needs the user or the owner password of an encrypted document", async () => {
    const locked = await protectBytes(makeMarkedPdf(), { password: "user", ownerPassword: "owner" });
    for (const password of ["user", "owner"]) {
      const [file] = await splitBytes(locked, { pages: "2", password });
      const output = onDisk(scratch, file?.bytes ?? new Uint8Array());
      expect(await qpdfCheck(output)).toMatchObject({ verdict: "ok", encrypted: false, pageCount: 1 });
      expect((await popplerText(output)).toString()).toContain("MARKtextP02E");
    }
    expect(await refusalOf(splitBytes(locked, { pages: "2" }))).toMatchObject({ code: "password_required" });
    expect(await refusalOf(splitBytes(locked, { pages: "2", password: "no" }))).toMatchObject({
      code: "wrong_password",
    });
  });

  test("equals what repair makes of the same pages without repeats", async () => {
    const output = onDisk(scratch, await repairBytes(makeMarkedPdf(), { pages: "4,2-3,2" }));
    expect(await qpdfCheck(output)).toMatchObject({ verdict: "ok", encrypted: false, pageCount: 3 });
    const marks = marksIn(`${everythingIn(fromDisk(output))}\n${await qpdfCanonical(output)}`);
    expect([...new Set(marks.map(({ page }) => page))].sort()).toEqual([2, 3, 4]);
    const texts = (await popplerText(output)).toString().match(/MARKtextP\d\dE/g);
    expect(texts).toEqual(["MARKtextP04E", "MARKtextP02E", "MARKtextP03E"]);
  });

  test("can hold every page of the document", async () => {
    const files = await splitBytes(makeMarkedPdf(), { pages: "all" });
    expect(files).toHaveLength(MARKED_PAGES);
  });
});
