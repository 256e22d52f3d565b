import { readFileSync, writeFileSync } from "node:fs";
import { drawnPdf, FIRST_OWN } from "../../fixtures/drawn-pdf.ts";
import type { Scratch } from "../../native/tools.ts";
import { makePhotos } from "../image/pictures.ts";

const LINES = 42;
const CURVES = 150;
const WORDS =
  "the report of a year in which every page holds words figures and a photo so that a reader has to do all that " +
  "readers do for the people who send such files to each other";

/** A document as offices send them round: on each page text, a chart of lines and curves, and a photo. */
export async function writeReport(path: string, pageCount: number, scratch: Scratch): Promise<void> {
  const photo = (await makePhotos(0.5, scratch)).get("jpg");
  if (photo === undefined) throw new Error("there is no photo");
  const pages = Array.from({ length: pageCount }, (_, page) => ({
    content: `${textOf(page)}${chartOf(page)}q 240 0 0 180 72 80 cm /Photo Do Q\n`,
    entries: "/MediaBox[0 0 595 842]",
    resources: `/Font<</Text ${FIRST_OWN} 0 R/Head ${FIRST_OWN + 1} 0 R>>/XObject<</Photo ${FIRST_OWN + 2} 0 R>>`,
  }));
  const [width, height] = sizeOf(photo);
  const objects = [
    { num: FIRST_OWN, body: "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>" },
    {
      num: FIRST_OWN + 1,
      body: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>",
    },
    {
      num: FIRST_OWN + 2,
      body:
        `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/BitsPerComponent 8/ColorSpace/DeviceRGB` +
        "/Filter/DCTDecode>>",
      stream: readFileSync(photo).toString("latin1"),
    },
  ];
  writeFileSync(path, drawnPdf(pages, { objects }));
}

/** By its first frame header of the baseline kind. */
function sizeOf(jpeg: string): readonly [number, number] {
  const bytes = readFileSync(jpeg);
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
  return [bytes.readUInt16BE(frame + 7), bytes.readUInt16BE(frame + 5)];
}

function textOf(page: number): string {
  const words = WORDS.split(" ");
  const line = (number: number) =>
    Array.from({ length: 14 }, (_, word) => words[(7 * number + 3 * word + page) % words.length]).join(" ");
  const lines = Array.from({ length: LINES }, (_, number) => `(${line(number)}) Tj T*`);
  return `BT /Head 16 Tf 72 780 Td (Chapter ${page + 1}) Tj /Text 10 Tf 11 TL 0 -24 Td ${lines.join("\n")} ET\n`;
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
