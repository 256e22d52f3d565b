import { ServiceError } from "./errors.ts";
import { importChunk } from "./failure.ts";

/** What a format is, and how its bytes give it away. */
export interface Format {
  readonly kind: "pdf" | "image" | "office";
  /** Another name that callers use for it. */
  readonly alias?: string;
  /** How a file begins, one character for each byte. */
  readonly head?: RegExp;
}

/** An OpenDocument file is a zip whose first entry, never compressed, says what it is. */
const openDocument = (name: string) =>
  new RegExp(`^PK.{28}mimetypeapplication/vnd.oasis.opendocument.${name}`, "s");

/**
 * The formats by extension, in the order in which their heads are tried: `avif` before `heic`, whose general
 * brands it also carries; `pdf` last, since anything may stand before its header.
 */
export const FORMATS = {
  jpg: { kind: "image", alias: "jpeg", head: /^\xff\xd8/ },
  png: { kind: "image", head: /^\x89PNG\r\n/ },
  webp: { kind: "image", head: /^RIFF.{4}WEBP/s },
  avif: { kind: "image", head: /^.{4}ftyp(.{4}){0,30}?avi[fs]/s },
  heic: {
    kind: "image",
    alias: "heif",
    head: /^.{4}ftyp(.{4}){0,30}?(he[iv][cxms]|m[is]f1)/s,
  },
  gif: { kind: "image", head: /^GIF8[79]a/ },
  // "BM" alone begins many a text: the length of the second header (12, 16, 40, 52, 56, 64, 108 or 124) tells.
  bmp: { kind: "image", head: /^BM.{12}[\f\cP(48@l|]\0\0\0/s },
  docx: { kind: "office" },
  xlsx: { kind: "office" },
  pptx: { kind: "office" },
  doc: { kind: "office" },
  xls: { kind: "office" },
  ppt: { kind: "office" },
  odt: { kind: "office", head: openDocument("text") },
  ods: { kind: "office", head: openDocument("spreadsheet") },
  odp: { kind: "office", head: openDocument("presentation") },
  rtf: { kind: "office", head: /^\{\\rtf/ },
  pdf: { kind: "pdf", head: /^.{0,1019}%PDF-/s },
} as const satisfies Record<string, Format>;

/** The type of an archive, which is no format: none is taken, and files that are made together come in one. */
export const ZIP = "application/zip";

/** A format, named by its extension. */
export type FormatId = keyof typeof FORMATS;

/** The table's rows, in order. */
export const ROWS = Object.entries<Format>(FORMATS) as [FormatId, Format][];

/** A file, or its bytes where they are in memory already. */
export type Content = Blob | ArrayBuffer;

const HEAD_BYTES = 4096;
/**
 * How files begin that hold others, which may be PDFs: zip, OLE compound file, 7z, RAR, tar. What is stored in them
 * uncompressed looks like the whole.
 */
const CONTAINER = /^(PK[\cC\cE\cG]|\xd0\xcf.\xe0\xa1\xb1.\xe1|7z\xbc\xaf|Rar!|.{256}\0ustar)/s;

/** The format that a caller names, whatever the case: `PDF`, `jpeg`. */
export function formatNamed(name: string): FormatId | undefined {
  const wanted = name.toLowerCase();
  return ROWS.find(([id, { alias }]) => id === wanted || alias === wanted)?.[0];
}

/**
 * A file's format, from its bytes; its name and type are never trusted. Of a Blob, reads a few kilobytes.
 *
 * @throws {ServiceError} `unsupported_input` when it is none of {@link FORMATS}, `unsupported_encryption` for an office
 * document with a password, `damaged_file` when the file cannot be read, `offline` or `internal_error` when a part of
 * the code cannot be loaded
 */
export async function detectFormat(file: Content): Promise<FormatId> {
  const head = await readText(file, 0, HEAD_BYTES);
  if (head === "") throw new ServiceError("unsupported_input", "The file is empty.");
  let format = ROWS.find(([, row]) => row.head?.test(head))?.[0];
  if (format === undefined || format === "pdf") {
    if (CONTAINER.test(head)) {
      const { formatOfContainer } = await importChunk(import("./format-detection.ts"));
      format = await formatOfContainer(file, head);
    } else format ??= await headlessPdf(file, head);
  }
  if (format !== undefined) return format;
  throw new ServiceError(
    "unsupported_input",
    "By its content, the file is none of the accepted formats: PDF, JPG, PNG, WEBP, HEIC, DOCX, XLSX, PPTX.",
  );
}

/** A PDF whose header is damaged or far from the beginning: it has objects, or ends as a PDF ends. */
async function headlessPdf(file: Content, head: string): Promise<FormatId | undefined> {
  if (/\d\s+\d+\s+obj\s*[<[]/.test(head)) return "pdf";
  const tail = await readText(file, -HEAD_BYTES);
  return /startxref\s+\d|%%EOF\s*$|trailer\s*<</.test(tail) ? "pdf" : undefined;
}

/** A part of a file, one character for each byte; from a negative `start` on, so much of its end. */
export async function readText(file: Content, start: number, end?: number): Promise<string> {
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
  // Of a frame that has gone since, Chromium never ends reading one, unless it is a part of one of this page's.
  const own = file instanceof Blob ? file : new Blob([file]);
  return own.arrayBuffer().catch(() => {
    throw new ServiceError(
      "damaged_file",
      "The file cannot be read: it was changed, moved or removed since it was chosen. Choose it again.",
    );
  });
}
