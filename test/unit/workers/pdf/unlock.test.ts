import { zlibSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { inspectPdf } from "../../../../workers/pdf/inspect.ts";
import { protectBytes, repairBytes, splitBytes, unlockBytes } from "../../../support/engine.ts";
import { type Choices, FixtureEncryption } from "../../../support/fixtures/encrypted-pdf.ts";
import { catalogOf, pageOf, pdfOf } from "../../../support/fixtures/pdf-objects.ts";
import { readableText, unlockedText } from "../../../support/made-texts.ts";
import { contextOf } from "../../../support/memory-context.ts";

const TEXT = "BT (to be read by those who may) Tj ET";

/** The objects of a document of one page with this content. */
const pageWith = (stream: string, entries = "") => [
  ...catalogOf("3 0 R"),
  pageOf(3, "/Contents 4 0 R"),
  { num: 4, body: `<<${entries}>>`, stream },
];
const latin1 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("latin1");
/** The crypt filter `StdCF` for all streams and strings. */
const ALL_ENCRYPTED = "/StmF/StdCF/StrF/StdCF";

/** A protected file in which one entry of the encryption dictionary is another, of the same length. */
function withEntry(file: Uint8Array, entry: RegExp, change: (value: string) => string): Uint8Array {
  const text = Buffer.from(file).toString("latin1");
  const changed = text.replace(entry, change);
  expect(changed).not.toBe(text);
  expect(changed).toHaveLength(text.length);
  return Uint8Array.from(Buffer.from(changed, "latin1"));
}

const zeroed = (value: string) => value.replace(/[\da-f]/gi, "0");
const hexOf = (name: string) => new RegExp(`(?<=/${name}\\s*)<[\\da-f]+>`, "i");

describe("a file of revision 6", () => {
  let locked: Uint8Array;

  beforeAll(async () => {
    locked = await protectBytes(pdfOf(pageWith(TEXT)), { password: "user", ownerPassword: "owner" });
  });

  it.each(["user", "owner"])("opens with the %s password, even when Perms is wrong", async (password) => {
    for (const file of [locked, withEntry(locked, hexOf("Perms"), zeroed)]) {
      expect(latin1(await unlockBytes(file, password))).toContain(TEXT);
    }
  });

  it.each<[string, RegExp, (value: string) => string]>([
    ["P was changed", /(?<=\/P )-\d/, (value) => (value === "-1" ? "-2" : "-1")],
    [
      "only Perms fits, not the hash of the password",
      hexOf("U"),
      (value) => value.replace(/[\da-f]{64}/i, zeroed),
    ],
  ])("opens with the user password when %s", async (_, entry, change) => {
    expect(latin1(await unlockBytes(withEntry(locked, entry, change), "user"))).toContain(TEXT);
  });

  it.each(["O", "OE"])("opens with the user password when %s is truncated", async (name) => {
    const cut = (value: string) => `${value.slice(0, -17)}>`.padEnd(value.length);
    const file = withEntry(locked, hexOf(name), cut);
    expect(latin1(await unlockBytes(file, "user"))).toContain(TEXT);
    await expect(unlockBytes(file, "other")).rejects.toMatchObject({ code: "wrong_password" });
  });

  it("is password_required without a password, unless it opens for everyone", async () => {
    await expect(unlockBytes(locked, undefined)).rejects.toMatchObject({ code: "password_required" });
    const restricted = await protectBytes(pdfOf(pageWith(TEXT)), { password: "", ownerPassword: "owner" });
    expect(latin1(await unlockBytes(restricted, undefined))).toContain(TEXT);
  });

  it("does not open with another password, whatever Perms is", async () => {
    for (const file of [locked, withEntry(locked, hexOf("Perms"), zeroed)]) {
      await expect(unlockBytes(file, "other")).rejects.toMatchObject({ code: "wrong_password" });
    }
  });
});

describe("with EncryptMetadata false", () => {
  const packet = (about: string) =>
    `<?xpacket begin="\xef\xbb\xbf"?><x:xmpmeta xmlns:x="adobe:ns:meta/">${titled(about.repeat(12))}</x:xmpmeta>` +
    '<?xpacket end="w"?>';
  const titled = (title: string) =>
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description ' +
    `xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></rdf:Description></rdf:RDF>`;
  const zlib = (text: string) => latin1(zlibSync(Buffer.from(text, "latin1")));
  const wide = (text: string) => `\xfe\xff${[...text].map((letter) => `\0${letter}`).join("")}`;
  const encryption = new FixtureEncryption({ encryptsMetadata: false });

  /** What is written of the metadata of a page. */
  function fileWith(data: string, entries: string): Uint8Array {
    const objects = [
      ...catalogOf("3 0 R", "/Metadata 4 0 R"),
      pageOf(3, "/Metadata 5 0 R"),
      { num: 4, body: "<</Type/Metadata/Subtype/XML/Filter/ASCIIHexDecode>>", stream: "444f43554d454e54>" },
      { num: 5, body: `<</Type/Metadata/Subtype/XML${entries}>>`, stream: data },
    ];
    return encryption.fileOf(objects, "AESV2", ALL_ENCRYPTED);
  }

  it.each<[string, (num: number, text: string) => string]>([
    ["encrypted", (num, text) => encryption.aes(num, text)],
    ["in the clear, as older writers left them", (_, text) => text],
  ])("the metadata of a page that is %s stays readable", async (_, encrypted) => {
    for (const [text, entries] of [
      [packet("page"), ""],
      [`\xef\xbb\xbf\n${packet("page")}`, ""],
      [wide(packet("page")), ""],
      [titled("page"), ""],
      [zlib(packet("page")), "/Filter[/FlateDecode]"],
    ] as const) {
      const file = fileWith(encrypted(5, text), entries);
      const [part] = await splitBytes(file, { pages: "1" });
      for (const written of [await unlockBytes(file, ""), await repairBytes(file)]) {
        expect(latin1(written)).toContain(text);
        expect(latin1(written)).toContain("444f43554d454e54>");
      }
      // Of a page that is split off, with what may travel.
      expect(latin1(part?.bytes)).toContain("<dc:title>page");
    }
  });
});

describe("a stream whose crypt filter", () => {
  const encryption = new FixtureEncryption();
  const plain = "% in the clear";
  const locked = encryption.aes(4, "% encrypted");

  it.each([
    [
      "has its name in an object",
      "/Filter 5 0 R/DecodeParms 6 0 R",
      "[/Crypt]",
      "[<</Name/Identity>>]",
      plain,
    ],
    ["is an object", "/Filter[5 0 R]/DecodeParms[6 0 R]", "/Crypt", "<</Name/Identity>>", plain],
    ["has parameters in an object", "/Filter[/Crypt]/DecodeParms[6 0 R]", "null", "<</Name/StdCF>>", locked],
    ["has a name in an object", "/Filter/Crypt/DecodeParms<</Name 6 0 R>>", "null", "/StdCF", locked],
  ])("%s is read, and the filter is taken away", async (_, entries, first, second, data) => {
    const objects = [...pageWith(data, entries), { num: 5, body: first }, { num: 6, body: second }];
    const file = encryption.fileOf(objects, "AESV2", ALL_ENCRYPTED);
    const [part] = await splitBytes(file, { pages: "1" });
    for (const written of [await unlockBytes(file, ""), await repairBytes(file), part?.bytes]) {
      const stream = /<<([^>]*)>>\nstream\n(.*)\nendstream/.exec(latin1(written));
      expect(stream?.[1]).not.toMatch(/Filter|DecodeParms/);
      expect(stream?.[2]).toBe(data === plain ? plain : "% encrypted");
    }
  });
});

it("throws unsupported_encryption for a crypt filter that is not defined", async () => {
  const encryption = new FixtureEncryption();
  const objects = pageWith(encryption.aes(4, TEXT), "/Filter/Crypt/DecodeParms<</Name/Other>>");
  const file = encryption.fileOf(objects, "AESV2", ALL_ENCRYPTED);
  await expect(unlockBytes(file, "")).rejects.toMatchObject({ code: "unsupported_encryption" });
});

it("throws unsupported_encryption for a crypt filter that needs a longer key", async () => {
  const encryption = new FixtureEncryption({ keyLength: 5 });
  const objects = pageWith("x".repeat(64), "/Filter/Crypt/DecodeParms<</Name/Aes>>");
  const file = encryption.fileOf(objects, "V2", `/Length 40${ALL_ENCRYPTED}`, ">>/Aes<</CFM/AESV2");
  await expect(unlockBytes(file, "")).rejects.toMatchObject({ code: "unsupported_encryption" });
});

describe("a key with a length other than 128 bits", () => {
  it.each<[Choices, string, string?]>([
    [{ keyLength: 5 }, `/Length 40${ALL_ENCRYPTED}`],
    [{ keyLength: 8 }, `/Length 64${ALL_ENCRYPTED}`, "/Length 16"],
    [{ keyLength: 5 }, ALL_ENCRYPTED, "/Length 5"],
    [{ keyLength: 7 }, `/Length 128${ALL_ENCRYPTED}`, "/Length 56"],
    [{ keyLength: 16 }, `/Length 40${ALL_ENCRYPTED}`, "/Length 5"],
    [{ version: 2, keyLength: 5, ownerDigest: 16 }, "/Length 40"],
    [{ version: 2, keyLength: 7, ownerDigest: 7 }, "/Length 56"],
  ])("%o is found by %j, filter %j", async (choices, entries, filter) => {
    const encryption = new FixtureEncryption({ ...choices, user: "user" });
    const file = encryption.fileOf(pageWith(encryption.rc4(4, TEXT)), "V2", entries, filter);
    for (const password of ["user", "owner"]) {
      expect(latin1(await unlockBytes(file, password))).toContain(TEXT);
    }
    await expect(unlockBytes(file, "other")).rejects.toMatchObject({ code: "wrong_password" });
  });
});

describe("attachments without a type", () => {
  const encryption = new FixtureEncryption({ user: "user" });
  const plain = (_: number, text: string) => text;
  const locked = (num: number, text: string) => encryption.aes(num, text);

  it.each([
    ["are encrypted alone", "/StmF/Identity/StrF/Identity/EFF/StdCF", plain, locked],
    ["are in the clear", "/StmF/StdCF/StrF/Identity/EFF/Identity", locked, plain],
  ])("%s, wherever they are named", async (_, filters, page, attachment) => {
    const names = "/Names<</EmbeddedFiles<</Names[(a)<</Type/Filespec/F(a)/EF<</F 5 0 R>>>>]>>>>";
    const objects = [
      ...catalogOf("3 0 R", names),
      pageOf(3, "/Contents 4 0 R/Annots[7 0 R]"),
      { num: 4, body: "<<>>", stream: page(4, "% the page") },
      { num: 5, body: "<<>>", stream: attachment(5, "the first attachment") },
      { num: 6, body: "<<>>", stream: attachment(6, "the second attachment") },
      { num: 7, body: "<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS 8 0 R>>" },
      { num: 8, body: "<</Type/Filespec/F(b)/EF 9 0 R/RF<</F[(c) 10 0 R]>>>>" },
      { num: 9, body: "<</F 6 0 R>>" },
      { num: 10, body: "<<>>", stream: attachment(10, "a related file") },
    ];
    const file = encryption.fileOf(objects, "AESV2", filters);
    const [part] = await splitBytes(file, { pages: "1", password: "user" });
    const ofPage = ["% the page", "the second attachment", "a related file"];
    for (const text of ofPage) expect(latin1(part?.bytes)).toContain(text);
    for (const written of [await unlockBytes(file, "user"), await repairBytes(file, { password: "user" })]) {
      for (const text of [...ofPage, "the first attachment"]) expect(latin1(written)).toContain(text);
    }
  });
});

describe("a file with encrypted attachments only", () => {
  const encryption = new FixtureEncryption({ user: "user" });

  function fileWith(annotation: string): Uint8Array {
    const objects = [
      ...catalogOf("3 0 R", "/Names<</EmbeddedFiles<</Names[(a) 6 0 R]>>>>"),
      pageOf(3, `/Contents 4 0 R/Annots[${annotation}]`),
      { num: 4, body: "<<>>", stream: TEXT },
      { num: 5, body: "<<>>", stream: encryption.aes(5, "the attachment") },
      { num: 6, body: "<</Type/Filespec/F(a)/EF<</F 5 0 R>>>>" },
    ];
    return encryption.fileOf(objects, "AESV2", "/StmF/Identity/StrF/Identity/EFF/StdCF");
  }

  it.each([undefined, "other", "user"])("opens for its pages with the password %j", async (password) => {
    const file = fileWith("");
    const [part] = await splitBytes(file, { pages: "1", password });
    expect(latin1(part?.bytes)).toContain(TEXT);
    expect(latin1(await repairBytes(file, { pages: "1", password }))).toContain(TEXT);
  });

  it("is unlocked with any password when it has no attachment, as inspect says", async () => {
    const objects = [
      ...catalogOf("3 0 R"),
      pageOf(3, "/Contents 4 0 R"),
      { num: 4, body: "<<>>", stream: TEXT },
    ];
    const file = encryption.fileOf(objects, "AESV2", "/StmF/Identity/StrF/Identity/EFF/StdCF");
    const { value } = await inspectPdf(contextOf(file), {});
    expect(value.opens_with_empty_password).toBe(true);
    const unlocked = latin1(await unlockBytes(file, ""));
    expect(unlocked).toContain(TEXT);
    expect(unlocked).not.toContain("/Encrypt");
    await expect(unlockBytes(fileWith(""), "")).rejects.toMatchObject({ code: "wrong_password" });
  });

  it("throws password_required when an attachment is copied", async () => {
    const whole = fileWith("");
    const page = fileWith("<</Subtype/FileAttachment/Rect[0 0 9 9]/FS 6 0 R>>");
    for (const [password, code] of [
      [undefined, "password_required"],
      ["other", "wrong_password"],
    ] as const) {
      await expect(repairBytes(whole, { password })).rejects.toMatchObject({ code });
      await expect(repairBytes(page, { pages: "1", password })).rejects.toMatchObject({ code });
      await expect(splitBytes(page, { pages: "1", password })).rejects.toMatchObject({ code });
    }
    const written = latin1(await repairBytes(whole, { password: "user" }));
    for (const text of [TEXT, "the attachment"]) expect(written).toContain(text);
    const [part] = await splitBytes(page, { pages: "1", password: "user" });
    expect(latin1(part?.bytes)).toContain("the attachment");
    await expect(unlockBytes(whole, "other")).rejects.toMatchObject({ code: "wrong_password" });
  });
});

/** A document with objects of two generations: a page and its annotation. */
function withGenerations(): Uint8Array {
  const annotation = "<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/SECRET-4/SECRET-5>>";
  const objects = [...catalogOf("3 2 R"), pageOf(3, "/Annots[4 7 R 4 0 R]"), { num: 4, body: annotation }];
  const text = latin1(pdfOf(objects)).replace("3 0 obj", "3 2 obj").replace("4 0 obj", "4 7 obj");
  const table = text.replace(/(\d{10}) 00000 n \n(\d{10}) 00000 n (?=\ntrailer)/, "$1 00002 n \n$2 00007 n ");
  return Uint8Array.from(Buffer.from(table, "latin1"));
}

it.each([
  [
    "pages, annotations and forms",
    pdfOf([
      ...catalogOf("3 0 R", "/SECRET-1<</SECRET-2 12.345>>"),
      pageOf(3, "/Annots[<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/AS/SECRET-3>>]"),
    ]),
  ],
  ["objects with generations", withGenerations()],
  [
    "the values in a stream's dictionary",
    pdfOf([
      ...pageWith(
        TEXT,
        "/Resources<</Font<</SECRET-1 5 0 R>>>>/BBox[0 0 12.345 9]/PieceInfo/SECRET-2/Desc(SECRET-3)",
      ),
      { num: 5, body: "<</Subtype/SECRET#2f4>>", stream: "" },
    ]),
  ],
  ["the trailer", pdfOf([...catalogOf("3 0 R"), pageOf(3)], "/Root 1 0 R/X/SECRET-1/Y<</SECRET-2 1>>")],
])("protect hides names and numbers: %s", async (_, input) => {
  const locked = await protectBytes(input, { password: "user" });
  const hidden = latin1(input).match(/SECRET(-|#2f)\d|12\.345/g) ?? [];
  expect(hidden.length).toBeGreaterThan(1);
  expect(latin1(locked)).not.toMatch(/SECRET|12\.345/);
  const unlocked = readableText(await unlockBytes(locked, "user"));
  for (const name of hidden) expect(unlocked).toContain(name);
});

it("protect keeps references to missing objects away from new objects", async () => {
  const missing = Array.from({ length: 9 }, (_, index) => `${4 + index} 0 R`);
  const input = pdfOf([...catalogOf("3 0 R"), pageOf(3, `/X[${missing.join(" ")}]`)]);
  expect(await unlockedText(input)).toContain(`/X [${missing.map(() => "null").join(" ")}]`);
});

describe("the Contents of a signature", () => {
  const encryption = new FixtureEncryption({ user: "user" });
  const range = "/ByteRange[0 1 2 3]";
  const hexBytes = (text: string) => `<${Buffer.from(text, "latin1").toString("hex")}>`;
  const encrypted = (num: number, text: string) => hexBytes(encryption.aes(num, text));

  it.each([
    ["Type Sig", `/Type/Sig/Filter/X${range}`],
    ["Type DocTimeStamp", `/Type/DocTimeStamp/Filter/X${range}`],
    ["the value of a signature field", `/Filter/X${range}`],
    ["the value of a signature field, without ByteRange", ""],
  ])("is not decrypted: %s", async (_, entries) => {
    const file = encryption.fileOf(
      [
        ...catalogOf("3 0 R", "/AcroForm 4 0 R"),
        pageOf(3),
        { num: 4, body: "<</Fields[5 0 R]>>" },
        { num: 5, body: `<</T${encrypted(5, "group")}/FT 9 0 R/Kids[6 0 R 7 0 R]>>` },
        // The type is inherited. One value is an object, one is a part of the field.
        { num: 6, body: `<</T${encrypted(6, "one")}/Parent 5 0 R/V 8 0 R>>` },
        {
          num: 7,
          body: `<</Parent 5 0 R/V<<${entries}/Contents(PLAIN-1)/Name${encrypted(7, "NAME-1")}>>>>`,
        },
        { num: 8, body: `<<${entries}/Contents(PLAIN-2)/Name${encrypted(8, "NAME-2")}>>` },
        { num: 9, body: "/Sig" },
      ],
      "AESV2",
      ALL_ENCRYPTED,
    );
    const unlocked = latin1(await unlockBytes(file, "user"));
    for (const text of ["(PLAIN-1)", "(PLAIN-2)", "NAME-1", "NAME-2", "group", "one"]) {
      expect(unlocked).toContain(text.startsWith("(") ? text : hexBytes(text));
    }
  });

  it("is decrypted when the dictionary is no signature", async () => {
    const file = encryption.fileOf(
      [
        ...catalogOf("3 0 R", "/AcroForm<</Fields[6 0 R]>>"),
        pageOf(3, "/Annots[4 0 R]/X 5 0 R"),
        {
          num: 4,
          body: `<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Filter/X${range}/Contents${encrypted(4, "NOTE-1")}>>`,
        },
        { num: 5, body: `<</Filter/X${range}/Contents${encrypted(5, "NOTE-2")}>>` },
        { num: 6, body: `<</FT/Tx/T${encrypted(6, "text")}/V<</Contents${encrypted(6, "NOTE-3")}>>>>` },
      ],
      "AESV2",
      ALL_ENCRYPTED,
    );
    const unlocked = latin1(await unlockBytes(file, "user"));
    for (const text of ["NOTE-1", "NOTE-2", "NOTE-3"]) expect(unlocked).toContain(hexBytes(text));
  });
});
