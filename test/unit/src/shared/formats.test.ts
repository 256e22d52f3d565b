import { describe, expect, test } from "vitest";
import { detectFormat } from "../../../../src/shared/format-detection.ts";
import { FORMATS, formatNamed } from "../../../../src/shared/formats.ts";
import { makePdf } from "../../../support/fixtures/pdf.ts";
import { compoundFile, openDocument, storedZip, tarOf, zipOf } from "../../../support/office-files.ts";

/** One byte for each character. */
function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (char) => char.charCodeAt(0));
}

function box(brands: string): Uint8Array<ArrayBuffer> {
  return bytes(`\0\0\0${String.fromCharCode(8 + brands.length)}ftyp${brands}\0\0\0\x0cmeta\0\0\0\0`);
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(parts));
}

const ENCRYPTED = ["EncryptionInfo", "EncryptedPackage"];
const PDF = makePdf({ pages: 1 });
const OOXML = ["[Content_Types].xml", "_rels/.rels", "docProps/app.xml"];
const ODF = "application/vnd.oasis.opendocument.";

describe("detectFormat returns the format of the bytes", () => {
  test.each([
    ["jpg", "JFIF", bytes("\xff\xd8\xff\xe0\0\x10JFIF")],
    ["jpg", "with a damaged first marker", bytes("\xff\xd8\xfe\xdc\0oJFIF")],
    ["png", "", bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR")],
    ["webp", "", bytes("RIFF\x24\0\0\0WEBPVP8 ")],
    ["gif", "87a", bytes("GIF87a\x01\0\x01\0")],
    ["gif", "89a", bytes("GIF89a\x01\0\x01\0")],
    ["bmp", "of Windows", bytes(`BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0\0\0`)],
    ["bmp", "of OS/2 2", bytes(`BM\x46\0\0\0\0\0\0\0\x1e\0\0\0\x10\0\0\0\x02\0\0\0`)],
    ["bmp", "of OS/2", bytes(`BM\x46\0\0\0\0\0\0\0\x1a\0\0\0\x0c\0\0\0\x02\0\x02\0`)],
    ["tiff", "little-endian", bytes("II*\0\x08\0\0\0")],
    ["tiff", "big-endian", bytes("MM\0*\0\0\0\x08")],
    ["tiff", "BigTIFF", bytes("II+\0\x08\0\0\0")],
    ["jxl", "", bytes("\xff\n\0\x10")],
    ["jxl", "in a container", bytes("\0\0\0\fJXL \r\n\x87\n\0\0\0\x14ftypjxl ")],
    ["heic", "", box("heic\0\0\0\0mif1heic")],
    ["heic", "of a phone", box("mif1\0\0\0\0mif1MiHEMiPrmiafMiHBheic")],
    ["heic", "a sequence", box("msf1\0\0\0\0msf1hevciso8")],
    ["heic", "of an unknown main brand", box("abcd\0\0\0\0mif1")],
    ["avif", "", box("avif\0\0\0\0avifmif1miafMA1B")],
    ["avif", "whose main brand is the general one", box("mif1\0\0\0\0mif1miafavif")],
    ["docx", "", zipOf([...OOXML, "word/document.xml", "word/media/image1.png"])],
    ["docx", "with back slashes", zipOf([...OOXML, "word\\document.xml"])],
    ["docx", "with its directory far from its head", zipOf([...OOXML, "word/document.xml"], noise(9000))],
    ["docx", "of a great many parts", zipOf([...OOXML, ...parts("word/media", 3000)])],
    ["xlsx", "", zipOf([...OOXML, "xl/workbook.xml", "xl/worksheets/sheet1.xml"])],
    ["pptx", "", zipOf([...OOXML, "ppt/presentation.xml", "ppt/slides/slide1.xml"])],
    ["odt", "", openDocument(`${ODF}text`)],
    ["ods", "", openDocument(`${ODF}spreadsheet`)],
    ["odp", "", openDocument(`${ODF}presentation`)],
    ["doc", "", compoundFile(["Root Entry", "1Table", "WordDocument"])],
    ["doc", "with a sheet in it", compoundFile(["Root Entry", "WordDocument", "ObjectPool", "Workbook"])],
    ["doc", "with an encrypted document in it", compoundFile(["Root Entry", ...ENCRYPTED, "WordDocument"])],
    ["xls", "", compoundFile(["Root Entry", "Workbook"])],
    ["xls", "of 1995", compoundFile(["Root Entry", "Book"])],
    ["xls", "with 4096-byte sectors", compoundFile(["Root Entry", "Workbook"], { sectorShift: 12 })],
    ["ppt", "", compoundFile(["Root Entry", "Current User", "x", "y", "z", "PowerPoint Document"])],
    ["rtf", "", bytes("{\\rtf1\\ansi Hello}")],
    ["pdf", "", bytes("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")],
    ["pdf", "after junk", bytes(`${"junk\n".repeat(200)}%PDF-1.4\n`)],
    ["pdf", "after junk that speaks of archives", bytes("PK, Rar, 7z and ustar\n%PDF-1.4\n")],
    ["pdf", "after a byte order mark", bytes("\xef\xbb\xbf%PDF-1.4\n")],
    ["pdf", "with a damaged header", bytes("UPDF-1\x99\n%\xe2\xe3\n1 0 obj \n<</Type/Catalog>>endobj\n")],
    ["pdf", "after more than 1024 blanks", bytes(`${" ".repeat(5000)}1 0 obj<<>>endobj\ntrailer\n<<>>`)],
    ["pdf", "known by its end", bytes(`${"\0".repeat(5000)}\nstartxref\n4711\n%%EOF\r\n`)],
  ] as const)("%s %s", async (format, _, content) => {
    // The name and the type do not count.
    expect(await detectFormat(new File([content], "a.mp3", { type: "audio/mpeg" }))).toBe(format);
  });

  test("a document that contains another one has its own format", async () => {
    const sheet = zipOf([...OOXML, "xl/workbook.xml"]);
    const outer = zipOf([...OOXML, "word/document.xml"]);
    // The stored sheet stands before the outer directory, as in a real file.
    expect(await detectFormat(new Blob([outer.slice(0, 4), sheet, outer]))).toBe("docx");
  });
});

describe("other content is unsupported_input", () => {
  test.each([
    ["a text", bytes("A text about PDF files: see 1 0 obj, trailer, startxref and %%EOF for details.\n")],
    ["a text that begins as a bitmap does", bytes("BMW builds cars, and has done so for a long time.")],
    ["one byte", bytes("%")],
    ["a page", bytes("<!doctype html><title>report.pdf</title>")],
    ["any zip", zipOf(["a.txt", "b.txt"])],
    ["a zip with a folder called word", zipOf(["word/list.txt"])],
    ["an empty zip", zipOf([])],
    ["the beginning of a zip", zipOf([...OOXML, "word/document.xml"]).slice(0, 60)],
    ["another compound file", compoundFile(["Root Entry", "__properties_version1.0"])],
    ["a compound file cut off", compoundFile(["Root Entry", "WordDocument"]).slice(0, 100)],
    ["a compound file whose directory is nowhere", compoundFile(["Root Entry"]).slice(0, 600)],
    ["a zip of PDFs, stored", storedZip({ "a.pdf": PDF, "b.pdf": PDF })],
    ["a zip whose PDF is far from its head", storedZip({ "a.png": new Uint8Array(5000), "b.pdf": PDF })],
    ["a tar of PDFs", tarOf({ "a.pdf": PDF, "b.pdf": PDF })],
    ["a tar whose PDF is far from its head", tarOf({ "a.png": new Uint8Array(5000), "b.pdf": PDF })],
    ["a compound file with a PDF in it", joined(compoundFile(["Root Entry", "CONTENTS"]), PDF)],
    ["a 7z with a PDF stored in it", joined(bytes("7z\xbc\xaf\x27\x1c\0\x04"), PDF)],
    ["a RAR with a PDF stored in it", joined(bytes("Rar!\x1a\x07\x01\0"), PDF)],
    ["a film", box("isom\0\0\0\0isomavc1mp41")],
    ["another RIFF file", bytes("RIFF\x24\0\0\0WAVEfmt ")],
  ])("%s", async (_, content) => {
    await expect(detectFormat(new File([content], "report.pdf"))).rejects.toMatchObject({
      code: "unsupported_input",
      message: expect.stringContaining("content of the file has none of"),
    });
  });

  test("an empty file", async () => {
    await expect(detectFormat(new File([], "report.pdf"))).rejects.toMatchObject({
      code: "unsupported_input",
      message: "The file is empty. Choose another file.",
    });
  });
});

test("a removed file is damaged_file", async () => {
  class GoneFile extends Blob {
    override slice(): Blob {
      return new GoneFile();
    }
    override arrayBuffer(): Promise<ArrayBuffer> {
      return Promise.reject(new DOMException("gone", "NotFoundError"));
    }
  }
  await expect(detectFormat(new GoneFile(["%PDF-1.7"]))).rejects.toMatchObject({
    code: "damaged_file",
    message: expect.stringContaining("Choose it again"),
  });
});

test("reads a Blob of another realm whose own methods never settle", async () => {
  // What a frame's Blob is to this realm, when the frame is gone.
  const foreign = (blob: Blob): Blob =>
    Object.setPrototypeOf(blob, {
      [Symbol.toStringTag]: "Blob",
      slice: (start?: number, end?: number) => foreign(Blob.prototype.slice.call(blob, start, end)),
      arrayBuffer: () => new Promise(() => {}),
    });
  expect(await detectFormat(foreign(new Blob(["%PDF-1.7"])))).toBe("pdf");
});

test("detection reads little of a large file", async () => {
  let bytesRead = 0;
  class LargeFile extends Blob {
    override get size() {
      return 4 * 1024 ** 3;
    }
    override slice(start = 0, end = this.size): Blob {
      const length = start < 0 ? -start : end - start;
      bytesRead += length;
      return new Blob(["\0".repeat(length)]);
    }
  }
  await expect(detectFormat(new LargeFile())).rejects.toMatchObject({ code: "unsupported_input" });
  expect(bytesRead).toBeLessThan(10_000);
});

describe("an office document with a password is unsupported_encryption", () => {
  test.each([
    [
      "its two streams, as LibreOffice writes them",
      compoundFile(["Root Entry", ...ENCRYPTED], { directorySector: 12 }),
    ],
    [
      "beside its data spaces",
      compoundFile(["Root Entry", "\x06DataSpaces", "Version", "DataSpaceMap", ...ENCRYPTED]),
    ],
  ])("%s", async (_, content) => {
    await expect(detectFormat(new File([content], "contract.docx"))).rejects.toMatchObject({
      code: "unsupported_encryption",
      status: 422,
      message: expect.stringContaining("save it without a password"),
    });
  });
});

// Looked at from each byte anew, it would take over a minute.
test("refuses a long zip that is no office document in linear time", { timeout: 15_000 }, async () => {
  const model = storedZip({
    "[Content_Types].xml": bytes("<xml/>"),
    "3D/3dmodel.model": bytes(noise(200_000)),
  });
  await expect(detectFormat(new Blob([model]))).rejects.toMatchObject({ code: "unsupported_input" });
});

describe("formatNamed", () => {
  test.each([
    ["pdf", "pdf"],
    ["Docx", "docx"],
    ["JPEG", "jpg"],
    ["heif", "heic"],
    ["", undefined],
    [".pdf", undefined],
    ["constructor", undefined],
  ])("%j is %j", (name, format) => {
    expect(formatNamed(name)).toBe(format);
  });

  test("has unique names and aliases", () => {
    const names = Object.entries(FORMATS).flatMap(([id, row]) => ("alias" in row ? [id, row.alias] : [id]));
    expect(new Set(names).size).toBe(names.length);
  });
});

/** Text that does not compress away. */
function noise(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48271) % 0x7fffffff;
    return String.fromCharCode(33 + (state % 90));
  }).join("");
}

function parts(folder: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${folder}/image${index}.png`);
}
