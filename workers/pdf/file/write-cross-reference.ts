import { zlibSync } from "fflate";
import { PdfDict, PdfName } from "../syntax/objects.ts";
import type { ByteWriter } from "../syntax/serializer.ts";
import type { CrossReference } from "./cross-reference.ts";

type Subsection = readonly [first: number, count: number];

/** Bytes for a generation or for an index in an object stream. */
const INDEX_WIDTH = 3;

/** Returns the subsections of a cross-reference. Fills small gaps with free entries. */
function subsectionsOf(entries: CrossReference, highest: number): Subsection[] {
  if (highest <= 2 * entries.size + 1000) return [[0, highest + 1]];
  const runs: [number, number][] = [[0, 1]];
  for (const [num] of entries.entries()) {
    const run = runs.at(-1);
    if (run && num === run[0] + run[1]) run[1]++;
    else runs.push([num, 1]);
  }
  return runs;
}

/** Writes a cross-reference table (ISO 32000-2, 7.5.4). */
export function writeTable(text: ByteWriter, entries: CrossReference, highest: number): void {
  text.text("xref\n");
  for (const [first, count] of subsectionsOf(entries, highest)) {
    text.text(`${first} ${count}\n`);
    for (let num = first; num < first + count; num++) {
      const entry = entries.get(num);
      if (entry?.kind !== "file") text.text("0000000000 65535 f \n");
      else {
        text.digits(entry.offset, 10);
        text.byte(0x20);
        text.digits(entry.gen, 5);
        text.text(" n \n");
      }
    }
  }
}

/** Returns the dictionary and the data of a cross-reference stream (ISO 32000-2, 7.5.8). */
export function crossReferenceStream(
  entries: CrossReference,
  highest: number,
  lastOffset: number,
): { dict: PdfDict; data: Uint8Array } {
  const subsections = subsectionsOf(entries, highest);
  const offsetWidth = Math.max(2, Math.ceil(Math.log2(Math.max(lastOffset, highest) + 1) / 8));
  const dict = PdfDict.from([
    ["Type", PdfName.of("XRef")],
    ["Size", highest + 1],
    ["W", [1, offsetWidth, INDEX_WIDTH]],
    ["Filter", PdfName.of("FlateDecode")],
    [
      "DecodeParms",
      PdfDict.from([
        ["Predictor", 12],
        ["Columns", 1 + offsetWidth + INDEX_WIDTH],
      ]),
    ],
  ]);
  if (subsections.length > 1) dict.set("Index", subsections.flat());
  return { dict, data: zlibSync(entryRows(subsections, entries, offsetWidth)) };
}

/** Returns rows of three fields, filtered with PNG's predictor Up. */
function entryRows(
  subsections: readonly Subsection[],
  entries: CrossReference,
  offsetWidth: number,
): Uint8Array {
  const width = 1 + offsetWidth + INDEX_WIDTH;
  const total = subsections.reduce((sum, [, count]) => sum + count, 0);
  const rows = new Uint8Array(total * (width + 1));
  let [row, above] = [new Uint8Array(width), new Uint8Array(width)];
  let at = 0;
  for (const [first, count] of subsections) {
    for (let num = first; num < first + count; num++) {
      const entry = entries.get(num);
      let [type, second, third] = [0, 0, 65535];
      if (entry?.kind === "file") [type, second, third] = [1, entry.offset, entry.gen];
      else if (entry?.kind === "packed") [type, second, third] = [2, entry.objectStream, entry.index];
      row[0] = type;
      for (let byte = offsetWidth; byte >= 1; byte--) {
        row[byte] = second % 256;
        second = Math.floor(second / 256);
      }
      row[width - 3] = third >> 16;
      row[width - 2] = third >> 8;
      row[width - 1] = third;
      rows[at++] = 2;
      for (let byte = 0; byte < width; byte++) rows[at++] = (row[byte] as number) - (above[byte] as number);
      [row, above] = [above, row];
    }
  }
  return rows;
}
