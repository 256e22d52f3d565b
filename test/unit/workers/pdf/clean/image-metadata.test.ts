import { expect, test } from "vitest";
import { withoutJpegMetadata, withoutJpxMetadata } from "../../../../../workers/pdf/clean/image-metadata.ts";

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const segment = (marker: string, data: string) =>
  `\xff${marker}\0${String.fromCharCode(data.length + 2)}${data}`;

const JFIF = segment("\xe0", `JFIF\0${"\x01".repeat(9)}`);
const SCAN = `${segment("\xda", "\x01\x01\0")}a\xff\0b\xff\xd0c`;
const END = "\xff\xd9";
const plain = `\xff\xd8${JFIF}${segment("\xe2", "ICC_PROFILE\0p")}${segment("\xee", "Adobe\0d")}${SCAN}${END}`;

test.each([
  ["EXIF and XMP", `\xff\xd8${segment("\xe1", "Exif\0\0x")}${plain.slice(2)}`, plain],
  [
    "every other application segment",
    `\xff\xd8${segment("\xed", "8BIM")}${segment("\xef", "")}${plain.slice(2)}`,
    plain,
  ],
  ["comments", `\xff\xd8${segment("\xfe", "text")}${plain.slice(2)}`, plain],
  ["other profiles and Flash formats", `\xff\xd8${segment("\xe2", "MPF\0")}${plain.slice(2)}`, plain],
  [
    "a thumbnail",
    `\xff\xd8${segment("\xe0", `JFIF\0${"\x01".repeat(12)}`)}${SCAN}${END}`,
    `\xff\xd8${SCAN}${END}`,
  ],
  [
    "segments after a scan",
    `\xff\xd8${SCAN}${segment("\xe1", "Exif")}${SCAN}${END}`,
    `\xff\xd8${SCAN}${SCAN}${END}`,
  ],
  ["what follows the image", `${plain}\xff\xd8${segment("\xe1", "Exif")}`, plain],
  [
    "segments after fill bytes",
    `\xff\xd8\xff\xff${segment("\xe1", "Exif").slice(1)}${SCAN}${END}`,
    `\xff\xd8${SCAN}${END}`,
  ],
  ["what precedes it", `a${plain}`, plain],
  [
    "the rest of a long segment of Adobe, and a segment that breaks off",
    `\xff\xd8${segment("\xee", "Adobe1234567x")}${SCAN}\xff\xe1`,
    `\xff\xd8${segment("\xee", "Adobe1234567")}${SCAN}`,
  ],
])("a JPEG loses %s", (_, jpeg, expected) =>
  expect(textOf(withoutJpegMetadata(bytesOf(jpeg)) ?? bytesOf("unclear"))).toBe(expected),
);

test.each([
  "\n\xff\xd8",
  "\xff\xd8\0",
  "\xff\xd8\xff\x01",
  "\xff\xd8\xff\xd0",
  "\xff\xd8\xff\xd8",
  "\xff\xd8\xff\xfe\0\0",
])("a JPEG loses EXIF after %j", (start) => {
  const clean = withoutJpegMetadata(bytesOf(`${start}${segment("\xe1", "Exif")}${SCAN}${END}`));
  expect(textOf(clean ?? bytesOf("unclear")).trim()).toBe(`\xff\xd8${SCAN}${END}`);
});

test.each([
  ["no metadata", plain],
  ["ends of lines after it", `${plain}\r\n`],
  ["no end", plain.slice(0, -2)],
  ["damage in its data", plain.replace("a\xff", "a\xff\x05\xff\xf3\xff")],
])("a JPEG with %s is the same", (_, jpeg) => {
  const bytes = bytesOf(jpeg);
  expect(withoutJpegMetadata(bytes)).toBe(bytes);
});

test.each([
  ["no scan", `\xff\xd8\xff\xe1\0\0Exif`],
  ["an end before its scan", `\xff\xd8${END}\xff\xd8${SCAN}`],
  ["an unknown marker", `\xff\xd8${segment("\x02", "text")}${SCAN}`],
  ["another format", "GIF89a"],
])("a JPEG with %s is not clear", (_, jpeg) => expect(withoutJpegMetadata(bytesOf(jpeg))).toBeUndefined());

const box = (type: string, data: string) => `\0\0\0${String.fromCharCode(data.length + 8)}${type}${data}`;

test("a JPEG 2000 has free space in place of boxes with metadata", () => {
  const jpx = (type: string, data: string) =>
    box("jP  ", "\r\n\x87\n") +
    box(type, data) +
    `\0\0\0\x01${type}\0\0\0\0\0\0\0\x12${data}` +
    `\0\0\0\0${type}${data}`;
  for (const type of ["xml ", "uuid", "uinf", "asoc", "jp2i", "free", "mdat"]) {
    expect(textOf(withoutJpxMetadata(bytesOf(jpx(type, "ab"))))).toBe(jpx("free", "\0\0"));
  }
  const inHeader = (inner: string) => box("jP  ", "\r\n\x87\n") + box("jp2h", box("ihdr", "ab") + inner);
  const changed = withoutJpxMetadata(bytesOf(inHeader(box("lbl ", "ab"))));
  expect(textOf(changed)).toBe(inHeader(box("free", "\0\0")));
  const plainJpx = bytesOf(box("jP  ", "\r\n\x87\n") + box("jp2c", "xml uuid"));
  expect(withoutJpxMetadata(plainJpx)).toBe(plainJpx);
});
