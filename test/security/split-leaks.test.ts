import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { afterAll, describe, expect, it, test } from "vitest";
import { protectBytes, repairBytes, splitBytes } from "../support/engine.ts";
import { catalogOf, imageOf, type PlainObject, pageOf, pdfOf } from "../support/fixtures/pdf-objects.ts";
import { MARKER, makeSharedPagesPdf, NEEDED } from "../support/fixtures/shared-pages-pdf.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";

const scratch = new Scratch();
afterAll(() => scratch.remove());

const latin1 = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("latin1");

/** Returns the text of a file with all streams unpacked by native qpdf, one character per byte. */
async function unpacked(bytes: Uint8Array): Promise<string> {
  const output = scratch.path("unpacked.pdf");
  const run = await runTool("qpdf", ["--qdf", "--object-streams=disable", onDisk(scratch, bytes), output]);
  expect(run.code, run.stderr).toBeLessThan(3);
  return readFileSync(output).toString("latin1");
}

/** Returns whether a text has the marker: with one or two bytes per character, or in hexadecimal. */
function showsMarker(text: string): boolean {
  const hex = Buffer.from(MARKER).toString("hex");
  return text.replaceAll("\0", "").includes(MARKER) || text.toLowerCase().includes(hex);
}

async function firstPage(input: Uint8Array): Promise<Uint8Array> {
  const [part] = await splitBytes(input, { pages: "1" });
  return part?.bytes ?? new Uint8Array();
}

const missing = announceMissing("what a split file holds of other pages", ["qpdf", "pdftoppm"]);

describe.skipIf(missing.length > 0)("the first of two pages with shared objects", () => {
  const input = makeSharedPagesPdf();

  test("holds no data of the second page when native qpdf unpacks it", async () => {
    const part = await firstPage(input);
    const text = await unpacked(part);
    expect(showsMarker(latin1(part))).toBe(false);
    expect(showsMarker(text)).toBe(false);
    expect(await unpacked(input)).toContain(MARKER);
  });

  test("holds no data of the second page when it is converted instead of split", async () => {
    const part = await repairBytes(input, { pages: "1" });
    expect(showsMarker(await unpacked(part))).toBe(false);
    expect(showsMarker(latin1(await repairBytes(input)))).toBe(true);
  });

  test.each(["aes", "object streams"])(
    "holds no data of the second page when the document has %s",
    async (how) => {
      let source = Uint8Array.from(await protectBytes(input, { password: "secret" }));
      if (how === "object streams") {
        const packed = scratch.path("packed.pdf");
        await runTool("qpdf", ["--object-streams=generate", onDisk(scratch, input), packed]);
        source = Uint8Array.from(readFileSync(packed));
      }
      const [part] = await splitBytes(source, { pages: "1", password: how === "aes" ? "secret" : undefined });
      expect(showsMarker(await unpacked(part?.bytes ?? source))).toBe(false);
    },
  );

  test("keeps its own content, metadata and lists", async () => {
    const text = await unpacked(await firstPage(input));
    for (const own of [
      ...[NEEDED, "% glyph a", "% glyph c", "% glyph d", "% glyph e", "% glyph of V"],
      ...["(Own layer)", "(question)", "(answer)", "(kept title)", "(kept property)", "/Chapter /Sect"],
      ...[
        '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">The &lt;title&gt;</rdf:li>',
        "<rdf:li>Two</rdf:li>",
      ],
      ...["<pdfaid:part>2</pdfaid:part>", "<pdfaid:conformance>B<", "<xmp:CreateDate>2020-01-02T03:04:05Z<"],
      ...["/Title (The title)", "/Trapped /False"],
    ]) {
      expect(text).toContain(own);
    }
    // The popup of the page's own note. No page lists the popup.
    expect(text.replace(/\s+/g, " ")).toContain("/Rect [ 1 2 3 4 ]");
    expect(text).not.toContain("/IRT null");
    expect(text.match(/\/IRT/g)).toHaveLength(1);
  });

  test("keeps content hidden when its layers lose their names", async () => {
    const text = (await unpacked(await firstPage(input))).replace(/\s+/g, " ");
    expect(text.match(/\/Type \/OCG/g)).toHaveLength(3);
    expect(text.match(/\/Name \(\)/g)).toHaveLength(2);
    const [, off = ""] = /\/OFF \[ (\d+ 0 R) \]/.exec(text) ?? [];
    const hidden = text.slice(text.indexOf(` ${off.replace(" R", " obj")}`));
    expect(hidden.slice(0, hidden.indexOf("endobj"))).toContain("/Name ()");
    // The panel of layers lists only the layer of the page.
    expect(/\/Order \[ \d+ 0 R \]/.test(text)).toBe(true);
  });

  test("looks the same in poppler", async () => {
    const drawn = async (bytes: Uint8Array) => {
      const output = scratch.path("page");
      const run = await runTool("pdftoppm", [
        "-f",
        "1",
        "-l",
        "1",
        "-singlefile",
        onDisk(scratch, bytes),
        output,
      ]);
      expect(run.code, run.stderr).toBe(0);
      return readFileSync(`${output}.ppm`);
    };
    const before = await drawn(input);
    expect((await drawn(await firstPage(input))).equals(before)).toBe(true);
    expect(new Set(before.subarray(20)).size).toBeGreaterThan(1);
  });
});

describe("content that is hard to read", () => {
  /** Returns a document of two pages that share their resources. The first page draws `content`. */
  const documentOf = (content: PlainObject, more: readonly PlainObject[] = [], entries = "") =>
    pdfOf([
      ...catalogOf("3 0 R 4 0 R"),
      pageOf(3, `/Resources 5 0 R/Contents ${content.num} 0 R`),
      pageOf(4, "/Resources 5 0 R/Contents 7 0 R"),
      { num: 5, body: `<</XObject<</Own 8 0 R/Other 9 0 R${entries}>>>>` },
      { num: 7, body: "<<>>", stream: "/Other Do" },
      imageOf(8, NEEDED),
      imageOf(9, MARKER),
      ...more,
      content,
    ]);
  const plain = (stream: string): PlainObject => ({ num: 6, body: "<<>>", stream });
  const deflated = (stream: string, entries = ""): PlainObject => ({
    num: 6,
    body: `<</Filter/FlateDecode${entries}>>`,
    stream: latin1(deflateSync(Buffer.from(stream, "latin1"), { level: 1 })),
  });
  const line = "1 0 0 1 10 10 cm 12.5 13.25 m 14 15 l S % a line of a map\n";
  const long = (size: number, before: string, after: string) =>
    Buffer.concat([Buffer.from(before), Buffer.alloc(size, line), Buffer.from(`\n${after}`)]);
  const LONG = 70 * 1024 * 1024;
  /**
   * Returns the same document with long content. The content is the last object, so that no other object
   * moves.
   */
  const longDocument = (data: Buffer, filter = "") => {
    const text = latin1(documentOf({ num: 99, body: "<<>>", stream: "" }));
    const start = text.indexOf("99 0 obj");
    const head = `99 0 obj\n<<${filter}/Length ${data.length}>>\nstream\n`;
    const end = "\nendstream\nendobj\n";
    const rest = text.slice(text.indexOf("xref\n", start), text.indexOf("startxref"));
    const place = start + head.length + data.length + end.length;
    return Buffer.concat([
      Buffer.from(text.slice(0, start) + head, "latin1"),
      data,
      Buffer.from(`${end}${rest}startxref\n${place}\n%%EOF\n`),
    ]);
  };
  const nested = (depth: number, resources: string): PlainObject[] =>
    Array.from({ length: depth }, (_, level) => ({
      num: 20 + level,
      body: `<</Type/XObject/Subtype/Form/BBox[0 0 9 9]${resources}>>`,
      stream: level === depth - 1 ? "/Own Do" : `/F${21 + level} Do`,
    }));
  const names = (depth: number) =>
    Array.from({ length: depth }, (_, level) => `/F${20 + level} ${20 + level} 0 R`).join("");
  const manyNames = Array.from({ length: 30_000 }, (_, index) => `/N${index} gs`).join(" ");

  it.each<[string, () => Uint8Array]>([
    ["content of more than 64 MB with the name at its end", () => longDocument(long(LONG, "", "/Own Do"))],
    [
      "content of more than 64 MB, deflated",
      () => longDocument(deflateSync(long(LONG, "/Own Do ", "q Q"), { level: 1 }), "/Filter/FlateDecode"),
    ],
    ["forms nested 17 deep", () => documentOf(plain("/F20 Do"), nested(17, ""), names(17))],
    ["forms nested 200 deep", () => documentOf(plain("/F20 Do"), nested(200, ""), names(200))],
    [
      "forms nested 200 deep that lack their names",
      () => documentOf(plain("/F20 Do"), nested(200, "/Resources<<>>"), names(200)),
    ],
    ["30,000 names", () => documentOf(plain(`${manyNames} /Own Do`))],
    ["30,000 names and an inline image", () => documentOf(plain(`BI ID x EI ${manyNames} /Own Do`))],
  ])("copies its own image and no other: %s", async (_, input) => {
    const part = Buffer.from(await firstPage(input()));
    expect(part.includes(NEEDED)).toBe(true);
    expect(part.includes(MARKER)).toBe(false);
  });

  it("copies its own image and no other when the content is long and encrypted", async () => {
    const input = longDocument(long(6 * 1024 * 1024, "", "/Own Do"));
    const part = Buffer.from(await firstPage(await protectBytes(input, { password: "" })));
    expect(part.includes(NEEDED)).toBe(true);
    expect(part.includes(MARKER)).toBe(false);
  });

  it.each<[string, PlainObject]>([
    ["an unknown filter", { ...plain("/Own Do /Other Do"), body: "<</Filter/Unheard>>" }],
    ["a filter for pictures", { ...plain("/Own Do /Other Do"), body: "<</Filter/DCTDecode>>" }],
    ["an unknown filter below a known one", deflated("/Other Do", "/Filter[/FlateDecode/Unheard]")],
  ])("copies no image for content with %s", async (_, content) => {
    const text = latin1(await firstPage(documentOf(content)));
    expect(text).toContain("/Type /Page");
    expect(text).not.toContain(NEEDED);
    expect(text).not.toContain(MARKER);
  });

  it("reads content up to the damage", async () => {
    const data = deflateSync(Buffer.from(`/Own Do ${line.repeat(4000)} /Other Do`), { level: 9 });
    for (const cut of [data.subarray(0, data.length - 30), Buffer.from(data).fill(0xff, data.length >> 1)]) {
      const text = latin1(
        await firstPage(documentOf({ num: 6, body: "<</Filter/FlateDecode>>", stream: latin1(cut) })),
      );
      expect(text).toContain(NEEDED);
      expect(text).not.toContain(MARKER);
    }
  });

  it("fails with the page's number for content with too many names", async () => {
    const endless = Array.from({ length: 600_000 }, (_, index) => `/${index} gs`).join("\n");
    await expect(splitBytes(documentOf(deflated(endless)), { pages: "2,1" })).rejects.toMatchObject({
      code: "input_too_large",
      details: { page: 1 },
    });
  });

  it("fails with the page's number for content with too many filters", async () => {
    const content = { ...plain("2f>"), body: `<</Filter[${"/ASCIIHexDecode".repeat(7)}]>>` };
    await expect(splitBytes(documentOf(content), { pages: "1" })).rejects.toMatchObject({
      code: "damaged_file",
      message: expect.stringMatching(/^Page 1: .*Leave the page out/),
      details: { page: 1 },
    });
  });

  it("fails with the page's number for an unreadable appearance", async () => {
    const content = plain("q Q");
    const appearance = {
      num: 30,
      body: `<</BBox[0 0 9 9]/Resources<<>>/Filter[${"/A85".repeat(7)}]>>`,
      stream: "~>",
    };
    const input = latin1(documentOf(content, [appearance]));
    // The page has room for an entry of the same length.
    const annotated = input.replace(
      "/MediaBox[0 0 100 100]/Resources 5 0 R/Contents 6 0 R",
      "/Annots[<</Subtype/Stamp/AP<</N 30 0 R>>>>]".padEnd(53),
    );
    await expect(splitBytes(Buffer.from(annotated, "latin1"), { pages: "1" })).rejects.toMatchObject({
      code: "damaged_file",
      details: { page: 1 },
    });
  });
});
