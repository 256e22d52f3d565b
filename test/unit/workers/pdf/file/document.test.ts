import { constants, deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bufferSource } from "../../../../../workers/io/source.ts";
import { BrokenStructure } from "../../../../../workers/pdf/file/cross-reference.ts";
import { PdfDocument } from "../../../../../workers/pdf/file/document.ts";
import { FileWriter } from "../../../../../workers/pdf/file/file-writer.ts";
import { latin1Bytes } from "../../../../../workers/pdf/syntax/characters.ts";
import {
  PdfDict,
  PdfName,
  type PdfObject,
  PdfRef,
  PdfStream,
} from "../../../../../workers/pdf/syntax/objects.ts";
import { packedPdfOf } from "../../../../support/fixtures/pdf-objects.ts";
import { MemorySink } from "../../../../support/memory-sink.ts";

const open = (text: string) => PdfDocument.open(bufferSource(latin1Bytes(text)));
const dict = (entries: Record<string, PdfObject>) => PdfDict.from(Object.entries(entries));
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

/** Puts objects one after the other and says where each is. */
class FileText {
  text: string;
  readonly offsets = new Map<number, number>();

  constructor(header = "%PDF-1.7\n") {
    this.text = header;
  }

  object(num: number, body: string): this {
    this.offsets.set(num, this.text.length);
    this.text += `${num} 0 obj\n${body}\nendobj\n`;
    return this;
  }

  /** A cross-reference table of the objects named, with its trailer and startxref. */
  table(nums: readonly number[], trailer: string, shift = 0): this {
    const start = this.text.length;
    this.text += "xref\n0 1\n0000000000 65535 f \n";
    for (const num of nums) {
      const offset = (this.offsets.get(num) ?? 0) + shift;
      this.text += `${num} 1\n${String(offset).padStart(10, "0")} 00000 n \n`;
    }
    this.text += `trailer\n<<${trailer}>>\nstartxref\n${start + shift}\n%%EOF\n`;
    return this;
  }

  /** A cross-reference stream with rows of one, two and one bytes. */
  stream(num: number, rows: readonly (readonly [number, number, number])[], entries: string): this {
    const start = this.text.length;
    const data = deflateSync(
      Uint8Array.from(rows.flatMap(([kind, second, third]) => [kind, second >> 8, second & 255, third])),
    );
    this.object(
      num,
      `<</Type/XRef/W[1 2 1]/Filter/FlateDecode/Length ${data.length}${entries}>>\nstream\n${data.toString("latin1")}\nendstream`,
    );
    this.text += `startxref\n${start}\n%%EOF\n`;
    return this;
  }

  at(num: number): number {
    return this.offsets.get(num) ?? 0;
  }
}

const catalog = "<</Type/Catalog/Pages 2 0 R>>";
const pages = "<</Type/Pages/Kids[]/Count 0>>";

describe("PdfDocument.open reads", () => {
  it("a table", () => {
    const document = open(
      new FileText().object(1, catalog).object(2, pages).table([1, 2], "/Root 1 0 R/Size 3").text,
    );
    expect(document.isRebuilt).toBe(false);
    expect(document.version).toBe("1.7");
    expect(document.read(new PdfRef(2, 0))).toEqual(dict({ Type: PdfName.of("Pages"), Kids: [], Count: 0 }));
    expect(document.read(new PdfRef(9, 0))).toBeNull();
    expect(document.read(new PdfRef(2, 1))).toBeNull();
  });

  it("a chain of tables, of which the newest section counts", () => {
    const file = new FileText().object(1, catalog).object(2, pages).object(3, "(old)").object(4, "(freed)");
    const first = file.text.length;
    file.table([1, 2, 3, 4], "/Root 1 0 R/Size 5").object(3, "(new)");
    const start = file.text.length;
    file.text += `xref\n3 1\n${String(file.at(3)).padStart(10, "0")} 00000 n \n4 1\n0000000000 00001 f \n`;
    file.text += `trailer\n<</Root 1 0 R/Size 5/Prev ${first}>>\nstartxref\n${start}\n%%EOF`;
    const document = open(file.text);
    expect(document.isRebuilt).toBe(false);
    expect(document.read(new PdfRef(3, 0))).toMatchObject({ bytes: latin1Bytes("new") });
    expect(document.read(new PdfRef(4, 0))).toBeNull();
  });

  it("a cross-reference stream with compressed objects", () => {
    const plain = [
      { num: 1, body: catalog },
      { num: 2, body: pages },
    ];
    const packed = [
      { num: 3, body: "(one)" },
      { num: 4, body: "[2 3]" },
    ];
    const document = PdfDocument.open(bufferSource(packedPdfOf(plain, packed)));
    expect(document.isRebuilt).toBe(false);
    expect(document.read(new PdfRef(3, 0))).toMatchObject({ bytes: latin1Bytes("one") });
    expect(document.read(new PdfRef(4, 0))).toEqual([2, 3]);
  });

  it("a hybrid file, with the entries of XRefStm for free entries of the table", () => {
    const packed = "3 0 4 6 (one) [2 3]";
    const container = `<</Type/ObjStm/N 2/First 8/Length ${packed.length}>>\nstream\n${packed}\nendstream`;
    const file = new FileText().object(1, catalog).object(2, pages).object(5, container);
    const streamAt = file.text.length;
    file.stream(
      6,
      [
        [2, 5, 0],
        [2, 5, 1],
        [1, file.at(5), 0],
      ],
      "/Index[3 3]/Size 7",
    );
    const start = file.text.length;
    const row = (num: number) => `${String(file.at(num)).padStart(10, "0")} 00000 n \n`;
    const free = "0000000000 65535 f \n";
    file.text += `xref\n0 7\n${free}${row(1)}${row(2)}${free}${free}${free}${row(6)}`;
    file.text += `trailer\n<</Root 1 0 R/Size 7/XRefStm ${streamAt}>>\nstartxref\n${start}\n%%EOF`;
    const document = open(file.text);
    expect(document.isRebuilt).toBe(false);
    expect(document.read(new PdfRef(4, 0))).toEqual([2, 3]);
  });

  it.each([
    ["counted from the header", 0],
    ["counted from the first byte", 1],
  ])("junk before the header, offsets %s", (_, counted) => {
    const junk = "GIF or mail, who knows\n";
    const plain = new FileText().object(1, catalog).object(2, pages);
    const file = plain.table([1, 2], "/Root 1 0 R/Size 3", counted * junk.length);
    const document = open(junk + file.text);
    expect(document.isRebuilt).toBe(false);
    expect(document.read(new PdfRef(2, 0))).toBeInstanceOf(PdfDict);
  });
});

describe("PdfDocument.open rebuilds by a scan", () => {
  const sound = () => new FileText().object(1, catalog).object(2, pages).object(3, "(three)");
  const cases: [what: string, text: string][] = [
    ["no startxref at all", `${sound().text}trailer\n<</Root 1 0 R>>`],
    ["no trailer at all", sound().text],
    ["no trailer, and a catalog of another generation", sound().text.replace("1 0 obj", "1 7 obj")],
    ["startxref past the end", `${sound().text}trailer\n<</Root 1 0 R>>\nstartxref\n99999\n%%EOF`],
    ["offsets that are off by some", sound().table([1, 2, 3], "/Root 1 0 R/Size 4", 7).text],
    ["sections in a circle", sound().table([1, 2, 3], `/Root 1 0 R/Size 4/Prev ${sound().text.length}`).text],
    [
      "a table that promises more than it has",
      `${sound().text}xref\n0 99999999\n0000000000 65535 f \ntrailer\n<</Root 1 0 R>>\nstartxref\n${sound().text.length}\n%%EOF`,
    ],
    ["no catalog where the trailer says", sound().table([1, 2, 3], "/Root 3 0 R/Size 4").text],
  ];
  it.each(cases)("%s", (_, text) => {
    const document = open(text);
    expect(document.isRebuilt).toBe(true);
    expect(document.read(new PdfRef(3, 0))).toMatchObject({ bytes: latin1Bytes("three") });
    expect(document.trailer.value("Root")).toBeInstanceOf(PdfDict);
  });

  it("a file with one wrong offset", () => {
    const file = sound();
    file.offsets.set(3, file.at(3) + 2);
    const document = open(file.table([1, 2, 3], "/Root 1 0 R/Size 4").text);
    expect(document.isRebuilt).toBe(false);
    expect(() => document.read(new PdfRef(3, 0))).toThrow(BrokenStructure);
    const rebuilt = document.rebuilt();
    expect(rebuilt.isRebuilt).toBe(true);
    expect(rebuilt.read(new PdfRef(3, 0))).toMatchObject({ bytes: latin1Bytes("three") });
  });

  it("a file without the objects of an attached PDF", () => {
    const inner = new FileText().object(1, catalog).object(3, "(inner)").text;
    const file = new FileText().object(1, catalog).object(2, pages).object(3, "(outer)");
    file.object(4, `<</Type/EmbeddedFile/Length ${inner.length}>>\nstream\n${inner}\nendstream`);
    const document = open(file.text);
    expect(document.read(new PdfRef(3, 0))).toMatchObject({ bytes: latin1Bytes("outer") });
  });

  it.each([
    ["too short", 3],
    ["too long", 4000],
    ["negative", -1],
  ])("a stream's length that is %s", (_, length) => {
    const file = sound().object(4, `<</Length ${length}>>\nstream\nall of it\nendstream`);
    const document = open(file.table([1, 2, 3, 4], "/Root 1 0 R/Size 5").text);
    const stream = document.read(new PdfRef(4, 0));
    expect(stream).toBeInstanceOf(PdfStream);
    if (stream instanceof PdfStream) expect(latin1(document.objects.decoded(stream))).toBe("all of it");
  });

  it("a stream whose Length refers to the stream itself", () => {
    const file = sound().object(4, "<</Length 4 0 R>>\nstream\nall of it\nendstream");
    const stream = open(file.table([1, 2, 3, 4], "/Root 1 0 R/Size 5").text).read(new PdfRef(4, 0));
    expect(stream).toBeInstanceOf(PdfStream);
  });

  it.each([300, 30_000, 2_000_000])("a damaged stream of %d bytes up to the damage", (length) => {
    const whole = Array.from({ length: length / 10 }, (_, index) =>
      String((index * 7919) % 1e9).padStart(10),
    );
    const plain = whole.join("");
    const packed = deflateSync(plain, { finishFlush: constants.Z_SYNC_FLUSH }).toString("latin1");
    // A block of a kind that there is not.
    const data = `${packed}\x07${"x".repeat(100)}`;
    const file = sound().object(
      4,
      `<</Filter/FlateDecode/Length ${data.length}>>\nstream\n${data}\nendstream`,
    );
    const document = open(file.table([1, 2, 3, 4], "/Root 1 0 R/Size 5").text);
    const stream = document.read(new PdfRef(4, 0));
    expect(stream).toBeInstanceOf(PdfStream);
    if (!(stream instanceof PdfStream)) return;
    const decoded = latin1(document.objects.decoded(stream));
    expect(plain.startsWith(decoded)).toBe(true);
    // What the last few bytes were packed to is not worth a step of its own.
    expect(plain.length - decoded.length).toBeLessThan(200);
  });

  it.each([
    "",
    "%PDF-1.7\n",
    "hello",
    "1 0 obj",
    "%PDF-1.7\n1 0 obj <</Type/Catalog",
    "trailer<</Root 1 0 R>>",
  ])("content without a document is damaged_file: %j", (text) => {
    expect(() => {
      const document = open(text);
      // A catalog that breaks off is a catalog; what it lacks shows when it is used.
      expect(document.isRebuilt).toBe(true);
      if (text.includes("Catalog")) throw Object.assign(new Error(), { code: "damaged_file" });
    }).toThrow(expect.objectContaining({ code: "damaged_file" }));
  });

  it("any bytes as a document, or throws damaged_file", () => {
    const token = fc.constantFrom(
      ..."1 0 obj|2 0 obj|endobj|<<|>>|/Type|/Catalog|/Pages|/Kids|/Length|9|stream\n|endstream|xref\n0 3\n|trailer|startxref\n9|/Root|1 0 R|2 0 R|[|]|(|)|%PDF-1.4\n|/ObjStm|/XRef|/W|/N|/First|/Prev|0000000009 00000 n \n".split(
        "|",
      ),
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 50 }), (tokens) => {
        try {
          open(tokens.join(" ")).read(new PdfRef(1, 0));
        } catch (error) {
          expect(error).toMatchObject({ code: "damaged_file" });
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("the cross-reference writer", () => {
  const objects = fc.uniqueArray(
    fc.record({
      num: fc.oneof(fc.integer({ min: 2, max: 60 }), fc.integer({ min: 2, max: 8_000_000 })),
      gen: fc.constantFrom(0, 0, 0, 7),
      value: fc.integer(),
    }),
    { selector: ({ num }) => num, maxLength: 60 },
  );

  it.each([
    ["a table", false],
    ["a stream, objects packed", true],
  ])("writes %s that is read without a scan", async (_, pack) => {
    await fc.assert(
      fc.asyncProperty(objects, async (written) => {
        const sink = new MemorySink();
        const highest = Math.max(1, ...written.map(({ num }) => num));
        const writer = new FileWriter(sink, "1.7", { pack, highest });
        writer.object(1, 0, dict({ Type: PdfName.of("Catalog") }));
        for (const { num, gen, value } of written) writer.object(num, gen, [value]);
        await writer.end(dict({ Root: new PdfRef(1, 0) }));
        const document = PdfDocument.open(bufferSource(sink.toBytes()));
        expect(document.isRebuilt).toBe(false);
        for (const { num, gen, value } of written)
          expect(document.read(new PdfRef(num, gen))).toEqual([value]);
        expect(document.isRebuilt).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});
