import { PDFDocument as CantooDocument } from "@cantoo/pdf-lib";
import { PDFDocument } from "pdf-lib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PERMISSIONS, type Permission } from "../../src/shared/protocol.ts";
import { objectsDifference } from "../corpus/pdf/qpdf-objects.ts";
import { protectBytes, unlockBytes } from "../support/engine.ts";
import { MARKED_PAGES, MARKED_TITLE, makeMarkedPdf } from "../support/fixtures/pdf-marked.ts";
import { catalogOf, packedPdfOf, pageOf, pdfOf } from "../support/fixtures/pdf-objects.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";
import {
  mupdfInfo,
  mupdfText,
  OracleFailure,
  popplerInfo,
  popplerText,
  qpdfCanonical,
  qpdfCheck,
  qpdfEncryption,
  qpdfObject,
  qpdfRewrite,
} from "../support/oracles.ts";
import { fromDisk, onDisk, refusalOf } from "../support/pdf-files.ts";

/** qpdf's line for each permission; `modify` stands for changes that no other permission covers. */
const NATIVE_WORDS: Readonly<Record<Permission, string>> = {
  print: "print high resolution",
  print_low: "print low resolution",
  modify: "modify other",
  copy: "extract for any purpose",
  annotate: "modify annotations",
  fill_forms: "modify forms",
  assemble: "modify document assembly",
};

/** pdftotext truncates passwords of its command line to this length. */
const POPPLER_PASSWORD_LIMIT = 32;

const missing = announceMissing("opening what protect wrote", ["qpdf", "mutool", "pdftotext", "pdfinfo"]);

describe.skipIf(missing.length > 0).concurrent("a protected file", () => {
  const scratch = new Scratch();
  const inputs: { readonly name: string; readonly path: string }[] = [];

  beforeAll(async () => {
    const asWritten = onDisk(scratch, makeMarkedPdf());
    const packed = scratch.path("packed.pdf");
    await qpdfRewrite(asWritten, packed, ["--object-streams=generate", "--compress-streams=y"]);
    inputs.push({ name: "as written", path: asWritten }, { name: "in object streams", path: packed });
  });
  afterAll(() => scratch.remove());

  test.each(["secret", "pässwörd пароль", "🔑", " ", "x".repeat(127)])(
    "opens with the password %j and with no other, in qpdf, poppler, MuPDF and pdf-lib",
    async (password) => {
      for (const { path } of inputs) {
        const bytes = await protectBytes(fromDisk(path), { password });
        const protectedPath = onDisk(scratch, bytes);
        expect(await qpdfCheck(protectedPath, password)).toMatchObject({
          verdict: "ok",
          encrypted: true,
          pageCount: MARKED_PAGES,
        });
        expect(await objectsDifference(path, protectedPath, password)).toBe("");
        if (password.length <= POPPLER_PASSWORD_LIMIT) {
          expect(await popplerText(protectedPath, password)).toEqual(await popplerText(path));
        }
        expect(await mupdfText(protectedPath, password)).toBe(await mupdfText(path));
        expect(await mupdfInfo(protectedPath, password)).toContain(`Pages: ${MARKED_PAGES}`);
        const loaded = await CantooDocument.load(bytes, { password, updateMetadata: false });
        expect(loaded.getPageCount()).toBe(MARKED_PAGES);

        for (const open of [qpdfCanonical, popplerText, mupdfText]) {
          await expect(open(protectedPath, `not ${password}`.slice(0, 127))).rejects.toThrow(OracleFailure);
        }
        await expect(CantooDocument.load(bytes)).rejects.toThrow(/encrypted/i);
      }
    },
  );

  test("opens in pdf-lib after unlock, with the same content", async () => {
    for (const { path } of inputs) {
      const locked = await protectBytes(fromDisk(path), { password: "secret" });
      const unlocked = await unlockBytes(locked, "secret");
      const unlockedPath = onDisk(scratch, unlocked);
      const document = await PDFDocument.load(unlocked, { updateMetadata: false });
      expect(document.getPageCount()).toBe(MARKED_PAGES);
      expect(document.getTitle()).toBe(MARKED_TITLE);
      expect(await qpdfCheck(unlockedPath)).toMatchObject({ verdict: "ok", encrypted: false });
      expect(await objectsDifference(path, unlockedPath)).toBe("");
    }
  });

  test("has the given owner password, or a random one", async () => {
    const input = makeMarkedPdf();
    const named = onDisk(scratch, await protectBytes(input, { password: "user", ownerPassword: "öwner" }));
    expect((await qpdfEncryption(named, "öwner")).suppliedPasswordIs).toEqual(["owner"]);
    expect((await qpdfEncryption(named, "user")).suppliedPasswordIs).toEqual(["user"]);

    const unnamed = onDisk(scratch, await protectBytes(input, { password: "user" }));
    expect((await qpdfEncryption(unnamed, "user")).suppliedPasswordIs).toEqual(["user"]);
    expect((await qpdfEncryption(unnamed, "")).suppliedPasswordIs).toEqual([]);
  });

  test("is encrypted with AES-256, revision 6, and allows everything by default", async () => {
    const path = onDisk(scratch, await protectBytes(makeMarkedPdf(), { password: "user" }));
    const report = await qpdfEncryption(path, "user");
    expect(report.revision).toBe(6);
    expect(report.text.match(/encryption method: (.+)/g)).toEqual(Array(3).fill("encryption method: AESv3"));
    expect([...report.allowed.values()]).toEqual(Array(report.allowed.size).fill(true));
    expect((await popplerInfo(path, "user")).get("Encrypted")).toMatch(
      /^yes \(print:yes copy:yes change:yes addNotes:yes/,
    );
  });

  test.each(PERMISSIONS.map((permission) => [permission]))("allows %s alone when asked to", async (only) => {
    const path = onDisk(
      scratch,
      await protectBytes(makeMarkedPdf(), { password: "user", permissions: [only] }),
    );
    const { allowed } = await qpdfEncryption(path, "user");
    const granted = PERMISSIONS.filter((permission) => allowed.get(NATIVE_WORDS[permission]));
    // Printing in high resolution requires the permission to print.
    expect(granted).toEqual(only === "print" ? ["print", "print_low"] : [only]);
    // Access for assistive technology is always allowed (ISO 32000-2, Table 22, bit 10).
    expect(allowed.get("extract for accessibility")).toBe(true);
  });

  test.each<[only: Permission, printing: string]>([
    ["print", "print:yes"],
    ["print_low", "print:yes"],
    ["copy", "print:no"],
  ])("with an empty password opens for everyone and allows %s alone", async (only, printing) => {
    for (const { path } of inputs) {
      const bytes = await protectBytes(fromDisk(path), {
        password: "",
        ownerPassword: "owner",
        permissions: [only],
      });
      const output = onDisk(scratch, bytes);
      expect(await qpdfCheck(output)).toMatchObject({
        verdict: "ok",
        encrypted: true,
        pageCount: MARKED_PAGES,
      });
      const report = await qpdfEncryption(output);
      expect(report.suppliedPasswordIs).toEqual(["user"]);
      expect((await qpdfEncryption(output, "owner")).suppliedPasswordIs).toEqual(["owner"]);
      const granted = PERMISSIONS.filter((permission) => report.allowed.get(NATIVE_WORDS[permission]));
      expect(granted).toEqual(only === "print" ? ["print", "print_low"] : [only]);
      expect((await popplerInfo(output)).get("Encrypted")).toMatch(new RegExp(`^yes \\(${printing} `));
      expect(await popplerText(output)).toEqual(await popplerText(path));
      expect(await mupdfText(output)).toBe(await mupdfText(path));
      expect(await objectsDifference(path, output)).toBe("");
      const unlocked = onDisk(scratch, await unlockBytes(bytes, ""));
      expect(await qpdfCheck(unlocked)).toMatchObject({ verdict: "ok", encrypted: false });
    }
  });

  test("allows nothing when no permission is given", async () => {
    const path = onDisk(scratch, await protectBytes(makeMarkedPdf(), { password: "user", permissions: [] }));
    const { allowed } = await qpdfEncryption(path, "user");
    expect(PERMISSIONS.filter((permission) => allowed.get(NATIVE_WORDS[permission]))).toEqual([]);
  });

  test("encrypts streams that still name an Identity crypt filter", async () => {
    const identity = "/DecodeParms[<</Type/CryptFilterDecodeParms/Name/Identity>>]";
    const objects = [
      ...catalogOf("3 0 R", "/Metadata 5 0 R"),
      pageOf(3, "/Contents[4 0 R 6 0 R]"),
      { num: 4, body: "<</Filter/Crypt>>", stream: "% SECRET content" },
      {
        num: 5,
        body: `<</Type/Metadata/Subtype/XML/Filter[/Crypt]${identity}>>`,
        stream: "<SECRET-metadata/>",
      },
      { num: 6, body: "<</Filter[/ASCIIHexDecode 7 0 R]>>", stream: "25534543524554>" },
      { num: 7, body: "/Crypt" },
    ];
    const bytes = await protectBytes(pdfOf(objects), { password: "user" });
    expect(Buffer.from(bytes).toString("latin1")).not.toMatch(/SECRET|534543524554|\/Filter ?\[? ?\/Crypt/);
    const path = onDisk(scratch, bytes);
    expect(await qpdfCheck(path, "user")).toMatchObject({ verdict: "ok", encrypted: true });
    const readable = await qpdfCanonical(path, "user");
    for (const text of ["% SECRET content", "<SECRET-metadata/>", "%SECRET"]) {
      expect(readable).toContain(text);
    }
  });

  test("has no readable string in the trailer and keeps the permanent part of the file identifier", async () => {
    const id = "<00112233445566778899aabbccddeeff>";
    const trailer =
      "/Root<</Type/Catalog/Pages 2 0 R/Lang(SECRET-LANG)>>/Info<</Title(SECRET title)>>/Private[(SECRET)]";
    const objects = [...catalogOf("3 0 R").slice(1), pageOf(3), { num: 4, body: `[${id} 5 0 R]` }];
    const whole = pdfOf([...objects, { num: 5, body: id }], `${trailer}/ID 4 0 R`);
    const packed = packedPdfOf(
      objects.slice(0, 2),
      [{ num: 4, body: "[(SECRET)]" }],
      `${trailer}/ID[${id}${id}]`,
    );
    const inputs = [
      whole,
      packed,
      // Two files that need repair.
      whole.slice(0, -12),
      packed.slice(0, -12),
      pdfOf(objects, `${trailer}/ID[4 0 R (x)]`),
    ];
    for (const [index, input] of inputs.entries()) {
      const bytes = await protectBytes(input, { password: "user" });
      const written = Buffer.from(bytes).toString("latin1");
      expect(written).not.toContain("SECRET");
      const [, permanent, changing] = /\/ID ?\[ ?<([\da-f]{32})> ?<([\da-f]{32})> ?\]/i.exec(written) ?? [];
      expect(permanent).toMatch(/./);
      expect(`<${permanent?.toLowerCase()}>` === id).toBe(index < 4);
      // Without an identifier in the input, both parts of the new one are equal.
      expect(changing === permanent).toBe(index >= 4);
      const path = onDisk(scratch, bytes);
      expect(await qpdfCheck(path, "user")).toMatchObject({ verdict: "ok", encrypted: true, pageCount: 1 });
      expect((await popplerInfo(path, "user")).get("Title")).toBe("SECRET title");
      expect(await qpdfCanonical(path, "user")).toContain("SECRET-LANG");
    }
  });

  test("keeps streams whose length object has a wrong offset", async () => {
    const objects = [
      ...catalogOf("3 0 R"),
      pageOf(3, "/Contents 4 0 R"),
      { num: 4, body: "<</Filter 5 0 R>>", stream: "25207468652070616765>" },
      { num: 5, body: "/ASCIIHexDecode" },
    ];
    const sound = Buffer.from(pdfOf(objects)).toString("latin1");
    const place = String(sound.indexOf("5 0 obj")).padStart(10, "0");
    const broken = sound.replace(place, String(Number(place) + 3).padStart(10, "0"));
    expect(broken).not.toBe(sound);
    const locked = await protectBytes(Uint8Array.from(Buffer.from(broken, "latin1")), { password: "user" });
    const path = onDisk(scratch, locked);
    expect(await qpdfCheck(path, "user")).toMatchObject({ verdict: "ok", encrypted: true, pageCount: 1 });
    expect(await qpdfCanonical(path, "user")).toContain("% the page");
  });

  test("hides signatures and what looks like one, and qpdf and MuPDF read their Contents", async () => {
    const range = "/ByteRange[0 1 2 3]/Filter/X";
    const field = (num: number) => `<</FT/Sig/T(field)/V ${num} 0 R>>`;
    const input = pdfOf([
      ...catalogOf("3 0 R", `/AcroForm<</Fields[4 0 R 5 0 R 6 0 R]>>`),
      pageOf(3, "/Annots[10 0 R]"),
      ...[4, 5, 6].map((num) => ({ num, body: field(num + 3) })),
      { num: 7, body: `<</Type/Sig${range}/Contents(SECRET-7)>>` },
      { num: 8, body: `<</Type/DocTimeStamp${range}/Contents(SECRET-8)>>` },
      { num: 9, body: `<<${range}/Contents(SECRET-9)>>` },
      { num: 10, body: `<</Type/Annot/Subtype/Text/Rect[0 0 9 9]${range}/Contents(SECRET-10)>>` },
    ]);
    const locked = await protectBytes(input, { password: "user" });
    const hidden = /SECRET|5345435245542d|ByteRange/i;
    expect(Buffer.from(locked).toString("latin1")).not.toMatch(hidden);
    const path = onDisk(scratch, locked);
    const plain = onDisk(scratch, await unlockBytes(locked, "user"));
    for (const num of [7, 8, 9, 10]) {
      const hex = Buffer.from(`SECRET-${num}`).toString("hex");
      const contents = new RegExp(`/Contents \\(SECRET-${num}\\)|/Contents <${hex}>`);
      expect(await qpdfObject(path, num, "user")).toMatch(contents);
      expect(await qpdfObject(plain, num)).toMatch(contents);
      const shown = await runTool("mutool", ["show", "-p", "user", path, String(num)]);
      expect(shown.stdout.toString()).toMatch(contents);
    }
  });

  test("shares no key material with another output of the same file and password", async () => {
    const input = makeMarkedPdf();
    const [one, other] = await Promise.all([
      protectBytes(input, { password: "same" }),
      protectBytes(input, { password: "same" }),
    ]);
    for (const entry of ["U", "O", "UE", "OE"]) {
      expect(encryptionString(one, entry)).not.toEqual(encryptionString(other, entry));
    }
    const keys = await Promise.all(
      [one, other].map(async (bytes) => (await qpdfEncryption(onDisk(scratch, bytes), "same")).key),
    );
    for (const key of keys) expect(key).toMatch(/^[\da-f]{64}$/);
    expect(keys[0]).not.toBe(keys[1]);
  });

  test("has a different initialization vector for each string and stream", async () => {
    const count = 1100;
    const streams = ["q Q", "q Q", "q Q ".repeat(1000), "q Q ".repeat(1000)];
    const input = pdfOf([
      ...catalogOf("3 0 R"),
      pageOf(3, "/Contents[4 0 R 5 0 R 6 0 R 7 0 R]"),
      ...streams.map((stream, index) => ({ num: 4 + index, body: "<<>>", stream })),
      // The strings in object streams have no vector of their own. Those in the parameters of a filter have.
      { num: 8, body: `<</DecodeParms<</X[${"<616263>".repeat(count)}]>>>>`, stream: "" },
    ]);
    const outputs = await Promise.all([1, 2].map(() => protectBytes(input, { password: "same" })));
    const vectors = outputs.flatMap((bytes) => {
      const text = Buffer.from(bytes).toString("latin1");
      const list = /\n8 0 obj[^[]*\[([^\]]*)\]/.exec(text)?.[1] ?? "";
      // An initialization vector and one block.
      const ofStrings = [...list.matchAll(/<([\da-f]{32})[\da-f]{32}>/gi)].map(([, vector = ""]) => vector);
      const ofStreams = [...text.matchAll(/[^d]stream\n([\s\S]{16})/g)].map(([, vector = ""]) =>
        Buffer.from(vector, "latin1").toString("hex"),
      );
      expect(ofStrings).toHaveLength(count);
      // The last stream is the cross-reference, which is not encrypted.
      ofStreams.pop();
      // Also the stream of object 8 and an object stream.
      expect(ofStreams).toHaveLength(streams.length + 2);
      return [...ofStrings, ...ofStreams];
    });
    expect(new Set(vectors.map((vector) => vector.toLowerCase())).size).toBe(vectors.length);
  });
});

/** The bytes of a string in the encryption dictionary, up to the next entry. */
function encryptionString(pdf: Uint8Array, entry: string): string {
  const text = Buffer.from(pdf).toString("latin1");
  const found = new RegExp(`/${entry} ?([(<][^]{32})`).exec(text)?.[1];
  if (found === undefined) throw new Error(`no /${entry} in the encryption dictionary`);
  return found;
}

test("refuses a password of 128 bytes in UTF-8", async () => {
  for (const password of ["x".repeat(128), "ä".repeat(64)]) {
    expect(await refusalOf(protectBytes(makeMarkedPdf(), { password }))).toMatchObject({
      code: "invalid_parameter",
      details: { parameter: "password" },
    });
    expect(
      await refusalOf(protectBytes(makeMarkedPdf(), { password: "user", ownerPassword: password })),
    ).toMatchObject({ code: "invalid_parameter", details: { parameter: "owner_password" } });
  }
});
