import { ServiceError } from "./errors.ts";
import { type Content, type FormatId, readText } from "./formats.ts";

/** A zip's directory stands at its end; of a long one, its end is enough. */
const ZIP_TAIL_BYTES = 128 * 1024;
/** The first entries of a compound file's directory: the main stream is among them. */
const OLE_DIRECTORY_BYTES = 16 * 1024;
const OLE_ENTRY_BYTES = 128;
/** What an Office Open XML package becomes that is encrypted: streams of a compound file ([MS-OFFCRYPTO] 2.3). */
const ENCRYPTED_STREAM = /^(EncryptionInfo|EncryptedPackage)$/;

/** The folder of an Office Open XML package that holds the document. */
const FOLDERS: Readonly<Partial<Record<string, FormatId>>> = { word: "docx", xl: "xlsx", ppt: "pptx" };
/** The stream of an OLE compound file that holds the document. */
const STREAMS: readonly (readonly [stream: RegExp, format: FormatId])[] = [
  [/^WordDocument$/, "doc"],
  [/^(Work)?book$/i, "xls"],
  [/^PowerPoint Document$/, "ppt"],
];

/**
 * The office format of a file that holds others; nothing when it is any archive.
 *
 * @param head how the file begins, one character for each byte
 * @throws {ServiceError} `unsupported_encryption` when a password protects it, `damaged_file` when it cannot be read
 */
export async function formatOfContainer(file: Content, head: string): Promise<FormatId | undefined> {
  if (head.startsWith("PK")) return officePackage(file, head);
  return head.startsWith("\xd0\xcf") ? compoundFile(file, head) : undefined;
}

/** Office Open XML: a zip that describes its content types and has a folder for its kind of document. */
async function officePackage(file: Content, head: string): Promise<FormatId | undefined> {
  const tail = await readText(file, -ZIP_TAIL_BYTES);
  if (!(head + tail).includes("[Content_Types].xml")) return undefined;
  // Greedy, since the last entry decides: before it there may be the directory of an embedded document. Anchored, or
  // a miss would be looked for from each byte anew.
  const folder = /^.*PK\W\W.{42}(word|xl|ppt)[/\\]/s.exec(tail)?.[1];
  return folder === undefined ? undefined : FOLDERS[folder];
}

/** The older office formats: an OLE compound file with a stream of a telling name ([MS-CFB] 2.2, 2.6). */
async function compoundFile(file: Content, head: string): Promise<FormatId | undefined> {
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
  // Only now: a document that is not encrypted may hold one that is.
  if (names.some((name) => ENCRYPTED_STREAM.test(name))) throw passwordProtected();
  return undefined;
}

function passwordProtected(): ServiceError {
  return new ServiceError(
    "unsupported_encryption",
    "This Office file is protected with a password, which only an Office program can take off: " +
      "save it there without one, and choose that file.",
  );
}
