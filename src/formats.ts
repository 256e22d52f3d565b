import { ServiceError } from "./errors.ts";

/** What a format is, and how its bytes give it away. */
interface Format {
  readonly kind: "pdf" | "image" | "office";
  readonly mime: string;
  /** Another name that callers use for it. */
  readonly alias?: string;
  /** How a file begins, one character for each byte. */
  readonly head?: RegExp;
  /** The folder of an Office Open XML package that holds the document. */
  readonly folder?: string;
  /** The stream of an OLE compound file that holds the document. */
  readonly stream?: RegExp;
}

const OOXML = "application/vnd.openxmlformats-officedocument.";
const ODF = "application/vnd.oasis.opendocument.";

/** An OpenDocument file is a zip whose first entry, never compressed, says what it is. */
const openDocument = (name: string) => new RegExp(`^PK.{28}mimetype${ODF}${name}`, "s");

/**
 * The formats by extension, in the order in which their heads are tried: `avif` before `heic`, whose general
 * brands it also carries; `pdf` last, since anything may stand before its header.
 */
export const FORMATS = {
  jpg: { kind: "image", mime: "image/jpeg", alias: "jpeg", head: /^\xff\xd8/ },
  png: { kind: "image", mime: "image/png", head: /^\x89PNG\r\n/ },
  webp: { kind: "image", mime: "image/webp", head: /^RIFF.{4}WEBP/s },
  avif: { kind: "image", mime: "image/avif", head: /^.{4}ftyp(.{4}){0,30}?avi[fs]/s },
  heic: {
    kind: "image",
    mime: "image/heic",
    alias: "heif",
    head: /^.{4}ftyp(.{4}){0,30}?(he[iv][cxms]|m[is]f1)/s,
  },
  gif: { kind: "image", mime: "image/gif", head: /^GIF8[79]a/ },
  // "BM" alone begins many a text: the length of the second header (12, 16, 40, 52, 56, 64, 108 or 124) tells.
  bmp: { kind: "image", mime: "image/bmp", head: /^BM.{12}[\f\cP(48@l|]\0\0\0/s },
  docx: { kind: "office", mime: `${OOXML}wordprocessingml.document`, folder: "word" },
  xlsx: { kind: "office", mime: `${OOXML}spreadsheetml.sheet`, folder: "xl" },
  pptx: { kind: "office", mime: `${OOXML}presentationml.presentation`, folder: "ppt" },
  doc: { kind: "office", mime: "application/msword", stream: /^WordDocument$/ },
  xls: { kind: "office", mime: "application/vnd.ms-excel", stream: /^(Work)?book$/i },
  ppt: { kind: "office", mime: "application/vnd.ms-powerpoint", stream: /^PowerPoint Document$/ },
  odt: { kind: "office", mime: `${ODF}text`, head: openDocument("text") },
  ods: { kind: "office", mime: `${ODF}spreadsheet`, head: openDocument("spreadsheet") },
  odp: { kind: "office", mime: `${ODF}presentation`, head: openDocument("presentation") },
  rtf: { kind: "office", mime: "application/rtf", head: /^\{\\rtf/ },
  pdf: { kind: "pdf", mime: "application/pdf", head: /^.{0,1019}%PDF-/s },
} as const satisfies Record<string, Format>;

/** The type of an archive, which is no format: none is taken, and files that are made together come in one. */
export const ZIP = "application/zip";

/** A format, named by its extension. */
export type FormatId = keyof typeof FORMATS;

const ROWS = Object.entries<Format>(FORMATS) as [FormatId, Format][];

/** A file, or its bytes where they are in memory already. */
type Content = Blob | ArrayBuffer;

const HEAD_BYTES = 4096;
/** A zip's directory stands at its end; of a long one, its end is enough. */
const ZIP_TAIL_BYTES = 128 * 1024;
/** The first entries of a compound file's directory: the main stream is among them. */
const OLE_DIRECTORY_BYTES = 16 * 1024;
const OLE_ENTRY_BYTES = 128;

/** The format that a caller names, whatever the case: `PDF`, `jpeg`. */
export function formatNamed(name: string): FormatId | undefined {
  const wanted = name.toLowerCase();
  return ROWS.find(([id, { alias }]) => id === wanted || alias === wanted)?.[0];
}

/**
 * A file's format, from its bytes; its name and type are never trusted. Of a Blob, reads a few kilobytes.
 *
 * @throws {ServiceError} `unsupported_input` when it is none of {@link FORMATS}, `damaged_file` when the file
 * cannot be read
 */
export async function detectFormat(file: Content): Promise<FormatId> {
  const head = await readText(file, 0, HEAD_BYTES);
  if (head === "") throw new ServiceError("unsupported_input", "The file is empty.");
  const format =
    ROWS.find(([, row]) => row.head?.test(head))?.[0] ??
    (head.startsWith("PK") ? await officePackage(file, head) : undefined) ??
    (/^\xd0\xcf.\xe0\xa1\xb1.\xe1/s.test(head) ? await compoundFile(file, head) : undefined) ??
    (await headlessPdf(file, head));
  if (format !== undefined) return format;
  throw new ServiceError(
    "unsupported_input",
    "By its content, the file is none of the accepted formats: PDF, JPG, PNG, WEBP, HEIC, DOCX, XLSX, PPTX.",
  );
}

/** Office Open XML: a zip that describes its content types and has a folder for its kind of document. */
async function officePackage(file: Content, head: string): Promise<FormatId | undefined> {
  const tail = await readText(file, -ZIP_TAIL_BYTES);
  if (!(head + tail).includes("[Content_Types].xml")) return undefined;
  // Greedy, since the last entry decides: before it there may be the directory of an embedded document.
  const folder = /.*PK\W\W.{42}(word|xl|ppt)[/\\]/s.exec(tail)?.[1];
  return ROWS.find(([, row]) => folder !== undefined && row.folder === folder)?.[0];
}

/** The older office formats: an OLE compound file with a stream of a telling name ([MS-CFB] 2.2, 2.6). */
async function compoundFile(file: Content, head: string): Promise<FormatId | undefined> {
  const header = new DataView(Uint8Array.from(head, (char) => char.charCodeAt(0)).buffer);
  if (header.byteLength < 512) return undefined;
  const sectorBytes = header.getUint16(30, true) === 12 ? 4096 : 512;
  const start = (header.getUint32(48, true) + 1) * sectorBytes;
  const directory = await readText(file, start, start + OLE_DIRECTORY_BYTES);
  for (let at = 0; at < directory.length; at += OLE_ENTRY_BYTES) {
    const name = directory.slice(at, at + 64).replaceAll("\0", "");
    const row = ROWS.find(([, { stream }]) => stream?.test(name));
    if (row !== undefined) return row[0];
  }
  return undefined;
}

/** A PDF whose header is damaged or far from the beginning: it has objects, or ends as a PDF ends. */
async function headlessPdf(file: Content, head: string): Promise<FormatId | undefined> {
  if (/\d\s+\d+\s+obj\s*[<[]/.test(head)) return "pdf";
  const tail = await readText(file, -HEAD_BYTES);
  return /startxref\s+\d|%%EOF\s*$|trailer\s*<</.test(tail) ? "pdf" : undefined;
}

/** A part of a file, one character for each byte; from a negative `start` on, so much of its end. */
async function readText(file: Content, start: number, end?: number): Promise<string> {
  const part = file.slice(start, end);
  let text = "";
  // Not what it is an instance of: a Blob of another realm is none of this one's.
  for (const byte of new Uint8Array("arrayBuffer" in part ? await readBytes(part) : part)) {
    text += String.fromCharCode(byte);
  }
  return text;
}

/**
 * What is in a file, or in a part of one.
 *
 * @throws {ServiceError} `damaged_file` when it cannot be read
 */
export function readBytes(file: Blob): Promise<ArrayBuffer> {
  return file.arrayBuffer().catch(() => {
    throw new ServiceError(
      "damaged_file",
      "The file cannot be read: it was changed, moved or removed since it was chosen. Choose it again.",
    );
  });
}
