import { deflateSync } from "node:zlib";
import { noise } from "./noise.ts";
import { PdfFile } from "./pdf-file.ts";

const PICTURE_SIDE = 124;
const LINES_PER_PAGE = 44;
const WORDS_PER_LINE = 12;
const WORDS = (
  "the of and to in is that for it as was with be by on not he this are or from at which but have an they you " +
  "were their one all we can said there use each she how other up out many then them these so some would like " +
  "into time has look two more write go see number no way could people my than first water been called who"
).split(" ");
/** The objects before the pages. */
const FIRST_PAGE = 9;
const OBJECTS_PER_PAGE = 5;

/**
 * Writes what people have most of: a report from an office program, with compressed text, an outline, a page of
 * contents with links, metadata, and a small picture on every page; 20 pages are some 1 MB.
 */
export function writeReport(path: string, { pages }: { readonly pages: number }): void {
  const indices = Array.from({ length: pages }, (_, index) => index);
  const pageNumber = (index: number) => FIRST_PAGE + OBJECTS_PER_PAGE * index;
  const file = new PdfFile(path);
  const chapter = (index: number) => pageNumber(index) + 3;
  const link = (index: number) => pageNumber(index) + 4;
  file.object(
    "<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R /PageMode /UseOutlines /Metadata 6 0 R /Lang (en) " +
      "/PageLabels << /Nums [0 << /S /r >> 1 << /S /D >>] >> /MarkInfo << /Marked false >> >>",
  );
  file.object(
    `<< /Type /Pages /Count ${pages} /MediaBox [0 0 595 842] ` +
      `/Kids [${indices.map((index) => `${pageNumber(index)} 0 R`).join(" ")}] >>`,
  );
  file.object("<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>");
  file.object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>");
  file.object(
    `<< /Type /Outlines /First ${chapter(0)} 0 R /Last ${chapter(pages - 1)} 0 R /Count ${pages} >>`,
  );
  file.stream("/Type /Metadata /Subtype /XML", metadata());
  file.object(
    "<< /Title (A report) /Author (The benchmark) /Subject (What people have most of) " +
      "/CreationDate (D:20260101120000Z) /ModDate (D:20260102120000Z) >>",
  );
  file.object("<< /Font << /F1 3 0 R /F2 4 0 R >> /ProcSet [/PDF /Text /ImageC] >>");
  for (const index of indices) {
    const number = pageNumber(index);
    const annotations = index === 0 ? `/Annots [${indices.map((at) => `${link(at)} 0 R`).join(" ")}] ` : "";
    file.object(
      `<< /Type /Page /Parent 2 0 R ${annotations}/Contents ${number + 1} 0 R /Resources ` +
        `<< /Font << /F1 3 0 R /F2 4 0 R >> /XObject << /Picture ${number + 2} 0 R >> >> >>`,
    );
    file.stream("/Filter /FlateDecode", deflateSync(text(index)));
    file.stream(
      `/Type /XObject /Subtype /Image /Width ${PICTURE_SIDE} /Height ${PICTURE_SIDE} ` +
        "/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode",
      deflateSync(noise(index, PICTURE_SIDE * PICTURE_SIDE * 3)),
    );
    const next = index + 1 < pages ? `/Next ${chapter(index + 1)} 0 R ` : "";
    const previous = index > 0 ? `/Prev ${chapter(index - 1)} 0 R ` : "";
    file.object(
      `<< /Title (Chapter ${index + 1}) /Parent 5 0 R ${previous}${next}/Dest [${number} 0 R /Fit] >>`,
    );
    file.object(
      `<< /Type /Annot /Subtype /Link /Rect [60 ${760 - 14 * index} 300 ${772 - 14 * index}] ` +
        `/Border [0 0 0] /Contents (Chapter ${index + 1}) /Dest [${number} 0 R /XYZ 0 842 0] >>`,
    );
  }
  file.finish("/Info 7 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]");
}

function text(page: number): string {
  const random = noise(1_000_000 + page, LINES_PER_PAGE * WORDS_PER_LINE);
  const word = (at: number) => WORDS[(random[at] ?? 0) % WORDS.length];
  const lines = Array.from({ length: LINES_PER_PAGE }, (_, line) => {
    const words = Array.from({ length: WORDS_PER_LINE }, (_, at) => word(line * WORDS_PER_LINE + at));
    return `(${words.join(" ")}) '`;
  });
  return (
    `BT /F2 18 Tf 60 790 Td (Chapter ${page + 1}) Tj ET\n` +
    `q 124 0 0 124 410 680 cm /Picture Do Q\n` +
    `BT /F1 10 Tf 14 TL 60 670 Td\n${lines.join("\n")}\nET`
  );
}

function metadata(): string {
  return [
    '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">',
    '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A report</rdf:li></rdf:Alt></dc:title>',
    "</rdf:Description></rdf:RDF></x:xmpmeta>",
    '<?xpacket end="w"?>',
  ].join("\n");
}
