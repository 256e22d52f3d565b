import { zlibSync } from "fflate";
import { describe, expect, test } from "vitest";
import { readJpeg } from "../../../../../workers/image/formats/jpg/read-jpeg.ts";
import { withJpegMetadata } from "../../../../../workers/image/formats/jpg/write-metadata.ts";
import { withPngMetadata } from "../../../../../workers/image/formats/png/chunks.ts";
import { readPng } from "../../../../../workers/image/formats/png/read-png.ts";
import { wholeXmp } from "../../../../../workers/image/metadata/xmp.ts";
import { bufferSource } from "../../../../../workers/io/source.ts";
import { concatBytes } from "../../../../support/fixtures/image/bytes.ts";
import { jpegSegment } from "../../../../support/fixtures/image/jpeg.ts";
import { makePng, type PngPlan } from "../../../../support/fixtures/image/png.ts";

const NAME = "0123456789ABCDEF0123456789ABCDEF";
const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
const NOTE = 'xmlns:xmpNote="http://ns.adobe.com/xmp/note/"';
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (data: Uint8Array | undefined) => new TextDecoder().decode(data);

const packet = (attributes: string, content = "", namespaces = "") =>
  bytes(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${RDF}${namespaces}>` +
      `<rdf:Description ${NOTE} ${attributes} a="b">${content}</rdf:Description></rdf:RDF></x:xmpmeta>`,
  );
const MAIN = packet(`xmpNote:HasExtendedXMP="${NAME}"`);
const extension = (content: string, namespaces = "") =>
  bytes(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${RDF}${namespaces}>${content}</rdf:RDF></x:xmpmeta>`);
const DEPTH_MAP = `<rdf:Description xmlns:d="urn:d" d:data="${"0123456789".repeat(20_000)}"/>`;

const DOT: PngPlan = { width: 1, height: 1, colorType: 0, bitDepth: 8, sample: () => [0] };
const JPEG = concatBytes([
  Uint8Array.of(0xff, 0xd8),
  jpegSegment(0xc0, Uint8Array.of(8, 0, 30, 0, 40, 1, 1, 0x11, 0)),
  jpegSegment(0xda, Uint8Array.of(1, 1, 0, 0, 63, 0)),
  Uint8Array.of(1, 0xff, 0xd9),
]);

describe("XMP that is too long for one segment", () => {
  test("is written into a JPEG in parts, and read as a whole", async () => {
    const metadata = { xmp: MAIN, extendedXmp: extension(DEPTH_MAP) };
    const made = new Uint8Array(await withJpegMetadata(JPEG, metadata).arrayBuffer());
    const { xmp, extendedXmp, segments } = readJpeg(bufferSource(made));
    expect(segments.filter(({ marker }) => marker === 0xe1)).toHaveLength(5);
    expect(xmp).toEqual(MAIN);
    expect(text(extendedXmp) === text(metadata.extendedXmp)).toBe(true);
  });

  test("is ignored if the packet does not name it", async () => {
    const metadata = { xmp: packet(""), extendedXmp: extension(DEPTH_MAP) };
    const made = new Uint8Array(await withJpegMetadata(JPEG, metadata).arrayBuffer());
    expect(readJpeg(bufferSource(made)).extendedXmp).toBeUndefined();
    expect(wholeXmp(metadata)).toBe(metadata.xmp);
  });

  test.each([
    ["an attribute", MAIN],
    ["an element", packet("", `<xmpNote:HasExtendedXMP>${NAME}</xmpNote:HasExtendedXMP>`)],
  ])("becomes one packet in other formats, without the %s that names it", async (_, xmp) => {
    const namespaces = ' xmlns:far="urn:far"';
    const extendedXmp = extension(`${DEPTH_MAP}<rdf:Description far:x="1"/>`, namespaces);
    const made = new Uint8Array(await withPngMetadata(makePng(DOT), { xmp, extendedXmp }).arrayBuffer());
    const whole = text(readPng(bufferSource(made)).xmp);
    expect(whole).toBe(
      text(packet("", "", namespaces))
        .replace(`${NOTE}  a`, `${NOTE}${xmp === MAIN ? "" : " "} a`)
        .replace("</rdf:RDF>", () => `${DEPTH_MAP}<rdf:Description far:x="1"/></rdf:RDF>`),
    );
  });

  test("is read from a PNG up to 64 MiB, or 16 MiB compressed", () => {
    const keyword = (isCompressed: 0 | 1) =>
      bytes(`XML:com.adobe.xmp\0${String.fromCharCode(isCompressed)}\0\0\0`);
    const png = (data: Uint8Array) => readPng(bufferSource(makePng({ ...DOT, chunks: [["iTXt", data]] })));
    const long = new Uint8Array(17 * 1024 * 1024).fill(32);
    const whole = png(concatBytes([keyword(0), long]));
    expect([whole.xmp?.length, whole.isTooLong]).toEqual([long.length, undefined]);
    const packed = png(concatBytes([keyword(1), zlibSync(long.subarray(0, 6_000_000), { level: 0 })]));
    expect(packed.xmp?.length).toBe(6_000_000);
    const bomb = png(concatBytes([keyword(1), zlibSync(long)]));
    expect([bomb.xmp, bomb.isTooLong]).toEqual([undefined, true]);
    const endless = png(concatBytes([keyword(0), new Uint8Array(65 * 1024 * 1024)]));
    expect([endless.xmp, endless.isTooLong]).toEqual([undefined, true]);
  });

  test("is dropped if its namespaces conflict", () => {
    const xmp = packet(`xmpNote:HasExtendedXMP="${NAME}"`, "", ' xmlns:far="urn:near"');
    expect(wholeXmp({ xmp, extendedXmp: extension("<far:x/>", ' xmlns:far="urn:far"') })).toBe(xmp);
  });

  const tags = (count: number) => bytes("<rdf:RDF>".repeat(count));
  const spaces = (count: number) => packet(`xmpNote:HasExtendedXMP="${NAME}"`, " ".repeat(count));
  test.each<[string, (count: number) => [xmp: Uint8Array, extendedXmp: Uint8Array]]>([
    ["tags that are never closed", (count) => [MAIN, tags(count)]],
    ["spaces", (count) => [spaces(count), extension("<a/>")]],
    ["tags after the packet", (count) => [concatBytes([MAIN, tags(count)]), extension("")]],
  ])("takes time in proportion to the length of %s", (_, make) => {
    const millisecondsFor = (count: number) => {
      const [xmp, extendedXmp] = make(count);
      const input = { xmp, extendedXmp };
      const { user } = process.cpuUsage();
      expect(wholeXmp(input)).toBeDefined();
      return (process.cpuUsage().user - user) / 1000;
    };
    // Quadratic time would grow 256-fold.
    expect(millisecondsFor(480_000)).toBeLessThan(80 * Math.max(2, millisecondsFor(30_000)));
  });
});
