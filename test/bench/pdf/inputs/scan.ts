import { noise } from "./noise.ts";
import { PdfFile } from "./pdf-file.ts";

const WIDTH = 1200;
const HEIGHT = 1700;
/** Marker and length, and the most that the length can say. */
const SEGMENT_HEADER = 4;
const MOST_IN_SEGMENT = 0xffff - 2;
const FIRST_PAGE = 3;
const OBJECTS_PER_PAGE = 3;

export interface ScanShape {
  readonly pages: number;
  /** Bytes of JPEG data on each page, from some 8,200. */
  readonly bytesPerPage: number;
}

/**
 * Writes a document as a scanner makes it: on each page one JPEG and nothing else. The JPEGs can be
 * decoded, and are as large as they should be by comments of random bytes, which nothing can compress further.
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

/**
 * A gray baseline JPEG of an even color with comments before it, as many as it takes. Its code words are of one bit,
 * 0 for no difference to the block before and 0 for nothing else in the block.
 */
function jpeg(seed: number, length: number): Uint8Array {
  const lengths = [1, ...Array<number>(15).fill(0)];
  const bits = 2 * Math.ceil(WIDTH / 8) * Math.ceil(HEIGHT / 8);
  const picture = Buffer.concat([
    segment(0xdb, Buffer.from([0, ...Array<number>(64).fill(1)])),
    segment(0xc0, Buffer.from([8, HEIGHT >> 8, HEIGHT & 0xff, WIDTH >> 8, WIDTH & 0xff, 1, 1, 0x11, 0])),
    segment(0xc4, Buffer.from([0x00, ...lengths, 0])),
    segment(0xc4, Buffer.from([0x10, ...lengths, 0])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.alloc(Math.floor(bits / 8)),
    Buffer.from(bits % 8 === 0 ? [0xff, 0xd9] : [0xff >> (bits % 8), 0xff, 0xd9]),
  ]);
  const start = Buffer.from([0xff, 0xd8]);
  const random = noise(seed, Math.max(0, length - start.length - picture.length));
  const comments: Buffer[] = [];
  for (let at = 0; at + SEGMENT_HEADER < random.length; at += MOST_IN_SEGMENT + SEGMENT_HEADER) {
    comments.push(segment(0xfe, random.subarray(at + SEGMENT_HEADER, at + SEGMENT_HEADER + MOST_IN_SEGMENT)));
  }
  return Buffer.concat([start, ...comments, picture]);
}

function segment(marker: number, content: Uint8Array): Buffer {
  const header = Buffer.from([0xff, marker, 0, 0]);
  header.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([header, content]);
}
