import { noise } from "./noise.ts";
import { PdfFile } from "./pdf-file.ts";

const WIDTH = 1200;
const HEIGHT = 1700;
const FIRST_PAGE = 3;
const OBJECTS_PER_PAGE = 3;

export interface ScanShape {
  readonly pages: number;
  /** Bytes of JPEG data on each page. */
  readonly bytesPerPage: number;
}

/**
 * Writes a document as a scanner makes it: on each page one JPEG and nothing else. The JPEGs have true headers and
 * random entropy-coded data, which nothing can compress further.
 */
export function writeScan(path: string, { pages, bytesPerPage }: ScanShape): void {
  const numbers = Array.from({ length: pages }, (_, index) => FIRST_PAGE + OBJECTS_PER_PAGE * index);
  const file = new PdfFile(path);
  file.object("<< /Type /Catalog /Pages 2 0 R >>");
  file.object(
    `<< /Type /Pages /Count ${pages} /Kids [${numbers.map((number) => `${number} 0 R`).join(" ")}] >>`,
  );
  for (const number of numbers) {
    file.object(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${number + 1} 0 R ` +
        `/Resources << /XObject << /Scan ${number + 2} 0 R >> >> >>`,
    );
    file.stream("", "q 595 0 0 842 0 0 cm /Scan Do Q");
    file.stream(
      `/Type /XObject /Subtype /Image /Width ${WIDTH} /Height ${HEIGHT} /ColorSpace /DeviceGray ` +
        `/BitsPerComponent 8 /Filter /DCTDecode`,
      jpeg(number, bytesPerPage),
    );
  }
  file.finish();
}

/** SOI, a frame and a scan header of a grey baseline JPEG, random data with no marker in it, EOI. */
function jpeg(seed: number, length: number): Uint8Array {
  const header = Buffer.from([
    ...[0xff, 0xd8],
    ...[0xff, 0xc0, 0, 11, 8, HEIGHT >> 8, HEIGHT & 0xff, WIDTH >> 8, WIDTH & 0xff, 1, 1, 0x11, 0],
    ...[0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0],
  ]);
  const bytes = noise(seed, Math.max(length, header.length + 2));
  for (let at = bytes.indexOf(0xff); at !== -1; at = bytes.indexOf(0xff, at)) bytes[at] = 0x7f;
  header.copy(bytes);
  bytes.set([0xff, 0xd9], bytes.length - 2);
  return bytes;
}
