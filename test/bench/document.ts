import { randomFillSync } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";

const WIDTH = 1200;
const HEIGHT = 1700;

/** What the benchmark's document is made of. */
export interface DocumentShape {
  readonly pages: number;
  /** Bytes of JPEG data on each page. */
  readonly bytesPerPage: number;
}

/**
 * Writes a document of scanned pages, as a scanner makes it: on each page one JPEG and nothing else. The JPEGs
 * have true headers and random entropy-coded data, which nothing can compress further.
 */
export function writeScannedDocument(path: string, { pages, bytesPerPage }: DocumentShape): void {
  const file = openSync(path, "w");
  const offsets: number[] = [];
  let length = 0;
  const write = (bytes: Uint8Array | string) => {
    const chunk = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
    writeSync(file, chunk);
    length += chunk.length;
  };
  const object = (...parts: readonly (Uint8Array | string)[]) => {
    offsets.push(length);
    write(`${offsets.length} 0 obj\n`);
    for (const part of parts) write(part);
    write("\nendobj\n");
  };

  const FIRST_PAGE = 3;
  const page = (index: number) => FIRST_PAGE + 3 * index;
  const indices = Array.from({ length: pages }, (_, index) => index);
  write("%PDF-1.7\n%\u{e2}\u{e3}\u{cf}\u{d3}\n");
  object("<< /Type /Catalog /Pages 2 0 R >>");
  object(
    `<< /Type /Pages /Count ${pages} /Kids [${indices.map((index) => `${page(index)} 0 R`).join(" ")}] >>`,
  );
  for (const index of indices) {
    const content = "q 595 0 0 842 0 0 cm /Scan Do Q";
    const jpeg = randomJpeg(bytesPerPage);
    object(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${page(index) + 1} 0 R ` +
        `/Resources << /XObject << /Scan ${page(index) + 2} 0 R >> >> >>`,
    );
    object(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    object(
      `<< /Type /XObject /Subtype /Image /Width ${WIDTH} /Height ${HEIGHT} /ColorSpace /DeviceGray ` +
        `/BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n`,
      jpeg,
      "\nendstream",
    );
  }
  const start = length;
  write(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n`);
  for (const offset of offsets) write(`${String(offset).padStart(10, "0")} 00000 n \n`);
  write(`trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`);
  closeSync(file);
}

/** SOI, a frame and a scan header of a grey baseline JPEG, random data with no marker in it, EOI. */
function randomJpeg(length: number): Uint8Array {
  const header = Buffer.from([
    ...[0xff, 0xd8],
    ...[0xff, 0xc0, 0, 11, 8, HEIGHT >> 8, HEIGHT & 0xff, WIDTH >> 8, WIDTH & 0xff, 1, 1, 0x11, 0],
    ...[0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0],
  ]);
  const jpeg = randomFillSync(Buffer.alloc(Math.max(length, header.length + 2)));
  for (let at = jpeg.indexOf(0xff); at !== -1; at = jpeg.indexOf(0xff, at)) jpeg[at] = 0x7f;
  header.copy(jpeg);
  jpeg.set([0xff, 0xd9], jpeg.length - 2);
  return jpeg;
}
