import { ServiceError } from "./errors.ts";
import { FORMAT_ROWS, type FormatId } from "./formats.ts";
import { readBytes } from "./read-blob.ts";

const HEAD_BYTES = 4096;
/**
 * Matches the beginning of a file that contains other files: zip, OLE compound file, 7z, RAR, tar. Such a file is not a
 * PDF, even if it contains one without compression.
 */
const CONTAINER = /^(PK[\cC\cE\cG]|\xd0\xcf.\xe0\xa1\xb1.\xe1|7z\xbc\xaf|Rar!|.{256}\0ustar)/s;

/** For messages. */
const ACCEPTED = FORMAT_ROWS.filter(([, { kind }]) => kind !== "text")
  .map(([id]) => id.toUpperCase())
  .join(", ");

/** The directory of a zip is at its end. The end of a long directory is enough. */
const ZIP_TAIL_BYTES = 128 * 1024;
/** The first entries of a compound file's directory. They include the main stream. */
const OLE_DIRECTORY_BYTES = 16 * 1024;
const OLE_ENTRY_BYTES = 128;
/** The streams of an encrypted Office Open XML document, which is a compound file ([MS-OFFCRYPTO] 2.3). */
const ENCRYPTED_STREAM = /^(EncryptionInfo|EncryptedPackage)$/;

/** The folder of an Office Open XML package that has the document. */
const FOLDERS: Readonly<Partial<Record<string, FormatId>>> = { word: "docx", xl: "xlsx", ppt: "pptx" };
/** The stream of an OLE compound file that has the document. */
const STREAMS: readonly (readonly [stream: RegExp, format: FormatId])[] = [
  [/^WordDocument$/, "doc"],
  [/^(Work)?book$/i, "xls"],
  [/^PowerPoint Document$/, "ppt"],
];

/**
 * Returns the format of a file. Reads a few kilobytes of a Blob. Never trusts the file's name and type.
 *
 * @throws {ServiceError} `unsupported_input` if the format is unknown, `unsupported_encryption` for an office document
 *   with a password, `damaged_file` if the file cannot be read
 */
export async function detectFormat(file: Blob): Promise<FormatId> {
  const head = await readText(file, 0, HEAD_BYTES);
  if (head === "") throw new ServiceError("unsupported_input", "The file is empty. Choose another file.");
  let format = FORMAT_ROWS.find(([, row]) => row.head?.test(head))?.[0];
  if (format === undefined || format === "pdf") {
    if (CONTAINER.test(head)) format = await containerFormat(file, head);
    else format ??= await headlessPdf(file, head);
  }
  if (format !== undefined) return format;
  throw new ServiceError(
    "unsupported_input",
    `The content of the file has none of the accepted formats: ${ACCEPTED}. Choose another file.`,
  );
}

/** Returns `pdf` if objects or the end of a file show a PDF whose header is damaged or far from the beginning. */
async function headlessPdf(file: Blob, head: string): Promise<FormatId | undefined> {
  if (/\d\s+\d+\s+obj\s*[<[]/.test(head)) return "pdf";
  const tail = await readText(file, -HEAD_BYTES);
  return /startxref\s+\d|%%EOF\s*$|trailer\s*<</.test(tail) ? "pdf" : undefined;
}

/** Returns the office format of a container, or nothing for another archive. */
async function containerFormat(file: Blob, head: string): Promise<FormatId | undefined> {
  if (head.startsWith("PK")) return officePackage(file, head);
  return head.startsWith("\xd0\xcf") ? compoundFile(file, head) : undefined;
}

/** Returns the format of Office Open XML: a zip with a list of content types and a folder for its kind of document. */
async function officePackage(file: Blob, head: string): Promise<FormatId | undefined> {
  const tail = await readText(file, -ZIP_TAIL_BYTES);
  if (!(head + tail).includes("[Content_Types].xml")) return undefined;
  // Greedy, because the last entry decides: the directory of an embedded document may come before it. Anchored, because
  // without an anchor a miss takes quadratic time.
  const folder = /^.*PK\W\W.{42}(word|xl|ppt)[/\\]/s.exec(tail)?.[1];
  return folder === undefined ? undefined : FOLDERS[folder];
}

/** Returns an older office format: an OLE compound file with a stream of a known name ([MS-CFB] 2.2, 2.6). */
async function compoundFile(file: Blob, head: string): Promise<FormatId | undefined> {
  const header = new DataView(Uint8Array.from(head, (char) => char.charCodeAt(0)).buffer);
  if (header.byteLength < 512) return undefined;
  const sectorBytes = header.getUint16(30, true) === 12 ? 4096 : 512;
  const start = (header.getUint32(48, true) + 1) * sectorBytes;
  const directory = await readText(file, start, start + OLE_DIRECTORY_BYTES);
  const names: string[] = [];
  for (let at = 0; at < directory.length; at += OLE_ENTRY_BYTES) {
    names.push(directory.slice(at, at + 64).replaceAll("\0", ""));
  }
  for (const name of names) {
    const format = STREAMS.find(([stream]) => stream.test(name))?.[1];
    if (format !== undefined) return format;
  }
  // After the loop: a document without encryption may contain an encrypted one.
  if (names.some((name) => ENCRYPTED_STREAM.test(name))) throw passwordProtected();
  return undefined;
}

/** Reads a part of a file, with one character for each byte. A negative `start` counts from the end. */
async function readText(file: Blob, start: number, end?: number): Promise<string> {
  const part = file.slice(start, end);
  let text = "";
  // Not instanceof: a Blob of another realm is no instance of this realm's Blob.
  for (const byte of new Uint8Array(await readBytes(part))) {
    text += String.fromCharCode(byte);
  }
  return text;
}

function passwordProtected(): ServiceError {
  return new ServiceError(
    "unsupported_encryption",
    "This Office file is protected with a password. Open it in an Office program, save it without a password, and " +
      "choose that file.",
  );
}
