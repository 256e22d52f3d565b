import { readFileSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Converter } from "../support/browsers/converter.ts";
import { concatBytes, latin1, uint32s } from "../support/fixtures/image/bytes.ts";
import { makeBmp, makeGif } from "../support/fixtures/image/gif-and-bmp.ts";
import { jpegSegment, withSegments } from "../support/fixtures/image/jpeg.ts";
import { makePng, type PngPlan, pngRawProfile } from "../support/fixtures/image/png.ts";
import { vips } from "../support/native-pictures.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";
import { qpdfWrites } from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";

// The promise: without keep_metadata, EXIF, XMP, comments and thumbnails are gone, from every format to every format.
// identifiers.test.ts does the same with color profiles.

/** It stands in every place of a source that can hold a text. */
const MARK = "SECRET";
const SOURCES = ["jpg", "jpg that is turned", "png", "webp", "heic", "avif", "gif", "bmp"] as const;
const OUTPUTS = ["jpg", "png", "webp", "avif", "pdf"] as const;
type Source = (typeof SOURCES)[number];

const WIDTH = 64;
const HEIGHT = 48;
const PLAN = { width: WIDTH, height: HEIGHT, colorType: 2, bitDepth: 8 } as const;
const color = (x: number, y: number) => [4 * x, 5 * y, 255 - 3 * x];

const scratch = new Scratch();
afterAll(() => scratch.remove());

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

/** One entry of a TIFF directory (TIFF 6.0, section 2): a text, a number of two or four bytes, or bytes. */
type Entry = readonly [tag: number, type: 2 | 3 | 4 | 7, value: string | number | Uint8Array];

/** A TIFF directory, and the bytes of its values, which come right behind it. */
function directory(at: number, entries: readonly Entry[], next = 0): Uint8Array {
  const head = new DataView(new ArrayBuffer(2 + 12 * entries.length + 4));
  const values: Uint8Array[] = [];
  let valueAt = at + head.byteLength;
  head.setUint16(0, entries.length);
  for (const [index, [tag, type, value]] of entries.entries()) {
    const entryAt = 2 + 12 * index;
    const bytes = typeof value === "string" ? latin1(`${value}\0`) : value;
    head.setUint16(entryAt, tag);
    head.setUint16(entryAt + 2, type);
    head.setUint32(entryAt + 4, typeof bytes === "number" ? 1 : bytes.length);
    if (typeof bytes === "number") {
      if (type === 3) head.setUint16(entryAt + 8, bytes);
      else head.setUint32(entryAt + 8, bytes);
    } else {
      // Values of up to four bytes would stand in the entry. None is so short.
      head.setUint32(entryAt + 8, valueAt);
      values.push(bytes);
      valueAt += bytes.length;
    }
  }
  head.setUint32(head.byteLength - 4, next);
  return concatBytes([new Uint8Array(head.buffer), ...values]);
}

/** An EXIF block with a description, a maker note, a position and a thumbnail. */
function exif(orientation: number): Uint8Array {
  const [positionAt, detailsAt, thumbnailAt, pictureAt] = [400, 600, 800, 1000] as const;
  const picture = latin1(`\xff\xd8${MARK} thumbnail\xff\xd9`);
  const block = new Uint8Array(pictureAt + picture.length);
  block.set([0x4d, 0x4d, 0, 42, 0, 0, 0, 8]);
  block.set(
    directory(
      8,
      [
        [0x010e, 2, `${MARK} description`],
        [0x010f, 2, `${MARK} maker`],
        [0x0112, 3, orientation],
        [0x8769, 4, detailsAt],
        [0x8825, 4, positionAt],
      ],
      thumbnailAt,
    ),
    8,
  );
  block.set(directory(positionAt, [[0x0012, 2, `${MARK} position`]]), positionAt);
  block.set(directory(detailsAt, [[0x927c, 7, latin1(`${MARK} maker note`)]]), detailsAt);
  const thumbnail: readonly Entry[] = [
    [0x0103, 3, 6],
    [0x0201, 4, pictureAt],
    [0x0202, 4, picture.length],
  ];
  block.set(directory(thumbnailAt, thumbnail), thumbnailAt);
  block.set(picture, pictureAt);
  return block;
}

const XMP = latin1(
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    `<rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:source="${MARK} source"/></rdf:RDF></x:xmpmeta>`,
);

/** A JPEG with metadata in each kind of segment, a thumbnail in JFIF's own extension, and bytes behind its end. */
async function markedJpeg(orientation: number): Promise<Uint8Array<ArrayBuffer>> {
  const path = scratch.path("plain.jpg");
  await vips(
    "copy",
    onDisk(scratch, makePng({ ...PLAN, sample: color }), "plain.png"),
    `${path}[Q=90,strip]`,
  );
  const extension = `${MARK}90123456789ABCDEF0123456789ABC`.slice(0, 32);
  const segments = [
    jpegSegment(0xe0, "JFXX\0", Uint8Array.of(0x10), `${MARK} thumbnail of JFIF`),
    jpegSegment(0xe1, "Exif\0\0", exif(orientation)),
    jpegSegment(0xe1, "http://ns.adobe.com/xap/1.0/\0", XMP),
    jpegSegment(0xe1, `http://ns.adobe.com/xmp/extension/\0${extension}`, uint32s(XMP.length, 0), XMP),
    jpegSegment(0xe2, "MPF\0", `${MARK} more pictures`),
    jpegSegment(0xed, "Photoshop 3.0\0", `8BIM\x04\x04\0\0\0\0\0\x0c${MARK} IPTC`),
    jpegSegment(0xe4, `${MARK} of a maker`),
    jpegSegment(0xfe, `${MARK} comment`),
  ];
  return concatBytes([withSegments(readFileSync(path), segments), latin1(`${MARK} video`)]);
}

/** A PNG with metadata in each kind of chunk, before and behind the pixels, and bytes behind its end. */
function markedPng(): Uint8Array<ArrayBuffer> {
  const texts: NonNullable<PngPlan["chunks"]> = [
    ["eXIf", exif(1)],
    ["iTXt", concatBytes([latin1("XML:com.adobe.xmp\0\0\0\0\0"), XMP])],
    ["tEXt", latin1(`Comment\0${MARK}`)],
    ["zTXt", concatBytes([latin1("Comment\0\0"), deflateSync(`${MARK} deflated`)])],
    pngRawProfile("zTXt", "exif", exif(1)),
    ["tIME", Uint8Array.of(7, 229, 1, 2, 3, 4, 5)],
    ["maKr", latin1(`${MARK} of a maker`)],
  ];
  const png = makePng({ ...PLAN, sample: color, chunks: texts, lateChunks: texts });
  return concatBytes([png, latin1(`${MARK} video`)]);
}

/** A WebP of the coded data of another, with metadata in its chunks, and bytes behind its end. */
function markedWebp(plain: Uint8Array): Uint8Array<ArrayBuffer> {
  const little = (value: number) => uint32s(value).reverse();
  const chunk = (name: string, data: Uint8Array) =>
    concatBytes([latin1(name), little(data.length), data, new Uint8Array(data.length % 2)]);
  // Flags of EXIF and XMP.
  const extended = Uint8Array.of(0x0c, 0, 0, 0, WIDTH - 1, 0, 0, HEIGHT - 1, 0, 0);
  const coded = plain.subarray(textOf(plain.subarray(12, 16)) === "VP8X" ? 30 : 12);
  const body = concatBytes([
    latin1("WEBP"),
    chunk("VP8X", extended),
    coded,
    chunk("EXIF", exif(1)),
    chunk("XMP ", XMP),
    chunk("MAKR", latin1(`${MARK} of a maker`)),
  ]);
  return concatBytes([latin1("RIFF"), little(body.length), body, latin1(`${MARK} video`)]);
}

/** A GIF with a comment, metadata of programs, and bytes behind its end. */
function markedGif(): Uint8Array<ArrayBuffer> {
  const palette = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [9, 9, 9],
  ];
  const gif = makeGif(WIDTH, HEIGHT, palette, (x, y) => (x + y) & 3);
  const block = (text: string | Uint8Array) => {
    const bytes = typeof text === "string" ? latin1(text) : text;
    return concatBytes([Uint8Array.of(bytes.length), bytes]);
  };
  // The picture is the first block behind the palette of four colors.
  const picture = 13 + 12;
  return concatBytes([
    gif.subarray(0, picture),
    Uint8Array.of(0x21, 0xfe),
    block(`${MARK} comment`),
    Uint8Array.of(0, 0x21, 0xff),
    block("XMP DataXMP"),
    block(XMP.subarray(0, 250)),
    Uint8Array.of(0),
    gif.subarray(picture),
    latin1(`${MARK} video`),
  ]);
}

const missing = announceMissing("metadata of images", ["vips", "qpdf", "heif-enc"]);

describe.skipIf(missing.length > 0)("without keep_metadata, nothing is left of the metadata", () => {
  let converter: Converter;
  const paths = new Map<Source, string>();

  beforeAll(async () => {
    converter = await Converter.start("chromium");
    const jpeg = onDisk(scratch, await markedJpeg(1), "source.jpg");
    paths.set("jpg", jpeg);
    paths.set("jpg that is turned", onDisk(scratch, await markedJpeg(6), "turned.jpg"));
    paths.set("png", onDisk(scratch, markedPng(), "source.png"));
    const webp = scratch.path("plain.webp");
    await vips("copy", jpeg, `${webp}[Q=90,strip]`);
    paths.set("webp", onDisk(scratch, markedWebp(readFileSync(webp)), "source.webp"));
    for (const format of ["heic", "avif"] as const) {
      const path = scratch.path(`source.${format}`);
      // It takes EXIF and XMP from the JPEG.
      const { code, stderr } = await runTool("heif-enc", ["-q", "80", "-t", "32", "-o", path, jpeg]);
      expect(code, stderr).toBe(0);
      writeFileSync(path, concatBytes([readFileSync(path), latin1(`\0\0\0\x0efree${MARK}`)]));
      paths.set(format, path);
    }
    paths.set("gif", onDisk(scratch, markedGif(), "source.gif"));
    const bmp = makeBmp(WIDTH, HEIGHT, color);
    paths.set("bmp", onDisk(scratch, concatBytes([bmp, latin1(MARK)]), "source.bmp"));
  });
  afterAll(() => converter.close());

  /** All bytes of a file, with the streams of a PDF unpacked. */
  async function contentOf(path: string): Promise<string> {
    if (!path.endsWith(".pdf")) return textOf(readFileSync(path));
    const plain = scratch.path("plain.pdf");
    await qpdfWrites(["--qdf", "--object-streams=disable", path, plain]);
    return textOf(readFileSync(plain));
  }

  /** The parts that a file of that format may have: those that are needed to show the picture. */
  const ALLOWED = {
    png: /^(IHDR|PLTE|tRNS|IDAT|IEND|iCCP|sRGB|gAMA|cHRM|cICP|sBIT|pHYs)$/,
    webp: /^(VP8X|VP8 |VP8L|ALPH|ICCP)$/,
    jpg: /^(E0|E2|EE|DB|C[0-24]|DA|DD)$/,
  };

  /** The names of the chunks, and the markers of the segments up to the scan. */
  function partsOf(format: "png" | "webp" | "jpg", bytes: Buffer): readonly string[] {
    const names: string[] = [];
    if (format === "jpg") {
      for (let at = 2; names.at(-1) !== "DA"; at += 2 + bytes.readUInt16BE(at + 2))
        names.push(bytes.toString("hex", at + 1, at + 2).toUpperCase());
    } else if (format === "png") {
      for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
        names.push(bytes.toString("latin1", at + 4, at + 8));
    } else {
      for (
        let at = 12;
        at < bytes.length;
        at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) & 1)
      )
        names.push(bytes.toString("latin1", at, at + 4));
    }
    return names;
  }

  test.each(SOURCES.flatMap((from) => OUTPUTS.map((to) => [from, to] as const)))(
    "%s to %s",
    async (from, to) => {
      const source = paths.get(from) ?? "";
      expect((await contentOf(source)).includes(MARK)).toBe(true);
      const made = await converter.convert(source, { output_format: to });
      const content = await contentOf(made);
      expect(content.match(/SECRET|Exif\0|xmpmeta|JFXX|MPF\0|8BIM/g)).toBeNull();
      if (to === "png" || to === "webp" || to === "jpg") {
        const others = partsOf(to, readFileSync(made)).filter((name) => !ALLOWED[to].test(name));
        expect(others).toEqual([]);
      }
    },
  );

  // Otherwise the tests above would not show that it is removed.
  test.each(["jpg", "png", "webp", "heic"] as const)("which keep_metadata keeps: %s", async (from) => {
    const made = await converter.convert(paths.get(from) ?? "", {
      output_format: "jpg",
      keep_metadata: "true",
    });
    const content = await contentOf(made);
    for (const what of ["description", "position", "source"])
      expect(content.includes(`${MARK} ${what}`), what).toBe(true);
  });
});
