import { readFileSync, writeFileSync } from "node:fs";
import { fontFiles } from "../../../scripts/fonts.mjs";
import { drawnPdf, FIRST_OWN } from "../../support/fixtures/drawn-pdf.ts";
import type { PlainObject } from "../../support/fixtures/pdf-objects.ts";
import type { Scratch } from "../../support/native-tools.ts";
import { makePhotos } from "../image/pictures.ts";

/** In a column; some less where there is a picture. */
const LINES = 62;
const LINES_FOR_PICTURES = 18;
const CHART_EVERY = 2;
const PHOTO_EVERY = 4;
const CURVES = 150;
const WORDS =
  "the report of a year in which every page holds words figures and a photo so that a reader has to do all that " +
  "readers do for the people who send such files to each other";

/** A document as offices send them round: text in fonts of its own, here a chart of curves, there a photo. */
export async function writeReport(path: string, pageCount: number, scratch: Scratch): Promise<void> {
  const photo = (await makePhotos(0.5, scratch)).get("jpg");
  if (photo === undefined) throw new Error("there is no photo");
  const pages = Array.from({ length: pageCount }, (_, page) => ({
    content: contentOf(page),
    entries: "/MediaBox[0 0 595 842]",
    resources: `/Font<</Text ${FIRST_OWN} 0 R/Head ${FIRST_OWN + 3} 0 R>>/XObject<</Photo ${FIRST_OWN + 6} 0 R>>`,
  }));
  const [width, height] = sizeOf(photo);
  const objects = [
    ...embeddedFont(FIRST_OWN, "NotoSans-Regular"),
    ...embeddedFont(FIRST_OWN + 3, "NotoSans-Bold"),
    {
      num: FIRST_OWN + 6,
      body:
        `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace/DeviceRGB` +
        "/Filter/DCTDecode>>",
      stream: readFileSync(photo).toString("latin1"),
    },
  ];
  writeFileSync(path, drawnPdf(pages, { objects }));
}

function contentOf(page: number): string {
  const hasPhoto = page % PHOTO_EVERY === 0;
  const hasChart = page % CHART_EVERY === 0;
  const lines = hasPhoto || hasChart ? LINES - LINES_FOR_PICTURES : LINES;
  const photo = hasPhoto ? "q 240 0 0 180 60 70 cm /Photo Do Q\n" : "";
  return textOf(page, lines) + (hasChart ? chartOf(page) : "") + photo;
}

/** A TrueType font that is in the file, as most are. Its advances are not its own, which costs nobody anything. */
function embeddedFont(num: number, name: string): PlainObject[] {
  const file = fontFiles().get(`${name}.ttf`);
  if (file === undefined) throw new Error(`${name} is not installed`);
  const widths = Array.from({ length: 95 }, () => 520).join(" ");
  return [
    {
      num,
      body:
        `<</Type/Font/Subtype/TrueType/BaseFont/${name}/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 126` +
        `/Widths[${widths}]/FontDescriptor ${num + 1} 0 R>>`,
    },
    {
      num: num + 1,
      body:
        `<</Type/FontDescriptor/FontName/${name}/Flags 32/StemV 80/ItalicAngle 0/Ascent 1069/Descent -293` +
        `/CapHeight 714/FontBBox[-621 -389 2800 1067]/FontFile2 ${num + 2} 0 R>>`,
    },
    { num: num + 2, body: "<<>>", stream: readFileSync(file).toString("latin1") },
  ];
}

/** By its first frame header of the baseline kind. */
function sizeOf(jpeg: string): readonly [number, number] {
  const bytes = readFileSync(jpeg);
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  return [bytes.readUInt16BE(frame + 7), bytes.readUInt16BE(frame + 5)];
}

/** Two columns below a heading, as high as the page leaves room for. */
function textOf(page: number, lineCount: number): string {
  const words = WORDS.split(" ");
  const line = (number: number) =>
    Array.from({ length: 9 }, (_, word) => words[(7 * number + 3 * word + page) % words.length]).join(" ");
  const column = (first: number) =>
    Array.from({ length: lineCount }, (_, number) => `(${line(first + number)}) Tj T*`).join("\n");
  const heading = `/Head 16 Tf 60 780 Td (Chapter ${page + 1}) Tj`;
  return `BT ${heading} /Text 9 Tf 11 TL 0 -24 Td ${column(0)} ET\nBT 11 TL 310 756 Td ${column(LINES)} ET\n`;
}

function chartOf(page: number): string {
  const curves = Array.from({ length: CURVES }, (_, index) => {
    const x = 330 + (index % 15) * 14;
    const y = 90 + Math.floor(index / 15) * 17;
    const lift = 10 * Math.sin(index + page);
    const shade = ((index * 37 + page) % 100) / 100;
    return `${shade} .4 ${1 - shade} rg ${x} ${y} m ${x + 4} ${y + lift} ${x + 9} ${y - lift} ${x + 13} ${y + 12} c h B`;
  });
  return `.5 w\n${curves.join("\n")}\n`;
}
