import { runTool } from "../../../support/native-tools.ts";
import { PdfFile } from "./pdf-file.ts";

const PAGES_PER_NODE = 50;
const FIRST_NODE = 5;
/** Of a page: itself, its resources, two content streams, and at least two graphics states. */
const FEWEST_BESIDE_LINKS = 6;

export interface SmallObjectsShape {
  readonly pages: number;
  /** At least 9: a page, what it is made of, and one link of each kind. */
  readonly objectsPerPage: number;
}

/**
 * Writes a document of very many small objects, as a catalog or a law code has them: on each page short texts
 * and links, half of them to other pages, half to addresses in action dictionaries of their own.
 */
export function writeSmallObjects(path: string, { pages, objectsPerPage }: SmallObjectsShape): void {
  const links = Math.floor((objectsPerPage - FEWEST_BESIDE_LINKS) / 3);
  const states = objectsPerPage - 4 - 3 * links;
  if (links < 1) throw new Error("a page takes 9 objects at least");
  const nodes = Math.ceil(pages / PAGES_PER_NODE);
  const pageNumber = (page: number) => FIRST_NODE + nodes + objectsPerPage * page;
  const file = new PdfFile(path);
  file.object("<< /Type /Catalog /Pages 2 0 R /PageMode /UseNone >>");
  file.object(`<< /Type /Pages /Count ${pages} /Kids [${references(FIRST_NODE, nodes)}] >>`);
  file.object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  file.object("<< /Title (Very many small objects) /Producer (The benchmark) >>");
  for (let node = 0; node < nodes; node += 1) {
    const first = node * PAGES_PER_NODE;
    const count = Math.min(PAGES_PER_NODE, pages - first);
    const kids = Array.from({ length: count }, (_, index) => `${pageNumber(first + index)} 0 R`);
    file.object(`<< /Type /Pages /Parent 2 0 R /Count ${count} /Kids [${kids.join(" ")}] >>`);
  }
  for (let page = 0; page < pages; page += 1) {
    const number = pageNumber(page);
    const firstState = number + 4;
    const firstLink = firstState + states;
    const firstAction = firstLink + 2 * links;
    file.object(
      `<< /Type /Page /Parent ${FIRST_NODE + Math.floor(page / PAGES_PER_NODE)} 0 R ` +
        `/MediaBox [0 0 595 842] /Resources ${number + 1} 0 R /Contents [${references(number + 2, 2)}] ` +
        `/Annots [${references(firstLink, 2 * links)}] >>`,
    );
    const named = Array.from({ length: states }, (_, index) => `/S${index} ${firstState + index} 0 R`);
    file.object(`<< /Font << /F1 3 0 R >> /ExtGState << ${named.join(" ")} >> >>`);
    for (const half of [0, 1]) file.stream("", shortText(page, half));
    for (let index = 0; index < states; index += 1) {
      file.object(`<< /Type /ExtGState /CA ${(index % 10) / 10} /LW ${1 + (page % 3)} >>`);
    }
    for (let index = 0; index < links; index += 1) {
      // Spread over the whole document, so that a split meets links that lead out of it.
      const target = pageNumber((page + 1 + index * 67) % pages);
      file.object(`${linkAt(index, 60)} /Dest [${target} 0 R /XYZ 0 ${800 - (index % 80) * 10} 0] >>`);
    }
    for (let index = 0; index < links; index += 1) {
      file.object(`${linkAt(index, 320)} /A ${firstAction + index} 0 R >>`);
    }
    for (let index = 0; index < links; index += 1) {
      file.object(`<< /S /URI /URI (https://example.org/pages/${page + 1}/links/${index + 1}) >>`);
    }
  }
  file.finish("/Info 4 0 R");
}

/** Writes the same document with its objects in object streams and a cross-reference stream. */
export async function packIntoObjectStreams(
  input: string,
  output: string,
  timeLimitMs: number,
): Promise<void> {
  const run = await runTool("qpdf", ["--object-streams=generate", input, output], timeLimitMs);
  if (run.code !== 0) throw new Error(`qpdf cannot pack the objects: ${run.stderr}`);
}

function references(first: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `${first + index} 0 R`).join(" ");
}

function linkAt(index: number, left: number): string {
  const bottom = 780 - (index % 70) * 11;
  return (
    `<< /Type /Annot /Subtype /Link /Rect [${left} ${bottom} ${left + 200} ${bottom + 9}] ` +
    `/Border [0 0 0] /Contents (See entry ${index + 1})`
  );
}

function shortText(page: number, half: number): string {
  const lines = Array.from(
    { length: 4 },
    (_, line) => `(Entry ${page + 1}.${half * 4 + line + 1}: what is said here, and where to read on.) '`,
  );
  return `BT /S0 gs /F1 8 Tf 11 TL 60 ${820 - 50 * half} Td\n${lines.join("\n")}\nET`;
}
