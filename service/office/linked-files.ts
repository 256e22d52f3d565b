import { type FileHandle, open } from "node:fs/promises";
import { createInflateRaw } from "node:zlib";
import { ServiceError } from "../../src/shared/errors.ts";

/** Records of a zip (APPNOTE.TXT 4.3.7, 4.3.12, 4.3.16) and the length of their fixed parts. */
const END = { signature: "PK\x05\x06", length: 22 };
const ENTRY = { signature: 0x02014b50, length: 46 };
const LOCAL = { length: 30 };
const LONGEST_COMMENT = 65_535;
/** Larger than that of any document: an entry takes some 100 bytes. */
const LONGEST_DIRECTORY = 16 * 1024 * 1024;
const DEFLATED = 8;
/** Longer than any tag of a document. */
const LONGEST_TAG = 1024 * 1024;

/** The files of an OpenDocument file that show something, also in objects. LibreOffice takes `Content.xml`, too. */
const MAY_LINK = /(?:^|\/)(?:content|styles)\.xml$/i;
/** A start tag. No attribute of well-formed XML has a `<`, so a tag cannot hide in another, in a comment or in CDATA. */
const TAG = /<([^\s<>/!?]+)((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/g;
const LINK = /(?:^|[\s:])(?:href|image-data)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** What scans as other characters than Latin ones would, and entities that a document declares. */
const UNREADABLE =
  /\0|<!DOCTYPE|<!ENTITY|<\?xml[^>]*encoding\s*=\s*["'](?!utf-8|us-ascii|iso-8859|windows-125)/i;
/** A hyperlink is not loaded. */
const HYPERLINK = /(?:^|:)a$/;
const OUTSIDE =
  /^\s*(?:(?!(?:https?|ftp|mailto|data|vnd\.sun\.star\.script):)[a-z][a-z\d+.-]*:|[/\\])|(?:^|[/\\])\.\.(?:[/\\]|$)/i;

/** Where the bytes of an XML file of a document are. */
interface XmlPart {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly isDeflated: boolean;
}

/**
 * Refuses a document that shows files from outside of it. LibreOffice shows pictures of the disk that an OpenDocument file names,
 * whatever its settings say (7.4). Any file may be one for LibreOffice that ends as a zip does.
 *
 * @throws {ServiceError} `unsupported_input`, `damaged_file` when it cannot be searched, and `signal.reason`
 */
export async function refuseLinkedFiles(path: string, signal: AbortSignal): Promise<void> {
  const file = await open(path);
  try {
    for (const part of await xmlParts(file)) await search(file, part, signal);
  } finally {
    await file.close();
  }
}

async function xmlParts(file: FileHandle): Promise<readonly XmlPart[]> {
  const { size } = await file.stat();
  const tail = await read(file, Math.max(0, size - END.length - LONGEST_COMMENT), size);
  const end = tail.lastIndexOf(END.signature, undefined, "latin1");
  if (end < 0) return [];
  if (tail.length - end < END.length) throw unreadable();
  const directoryEnd = size - tail.length + end;
  const directoryLength = tail.readUInt32LE(end + 12);
  // As LibreOffice does: bytes before the zip move all offsets.
  const base = directoryEnd - directoryLength - tail.readUInt32LE(end + 16);
  if (base < 0 || directoryLength > LONGEST_DIRECTORY) throw unreadable();
  const directory = await read(file, directoryEnd - directoryLength, directoryEnd);
  const parts: XmlPart[] = [];
  for (let at = 0; at < directory.length; ) {
    if (directory.length - at < ENTRY.length || directory.readUInt32LE(at) !== ENTRY.signature)
      throw unreadable();
    const nameEnd = at + ENTRY.length + directory.readUInt16LE(at + 28);
    const name = directory.toString("latin1", at + ENTRY.length, nameEnd);
    if (MAY_LINK.test(name)) {
      const local = base + directory.readUInt32LE(at + 42);
      const header = await read(file, local, local + LOCAL.length);
      const start = local + LOCAL.length + header.readUInt16LE(26) + header.readUInt16LE(28);
      const isDeflated = directory.readUInt16LE(at + 10) === DEFLATED;
      parts.push({ start, end: start + directory.readUInt32LE(at + 20), isDeflated });
    }
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return parts;
}

async function search(file: FileHandle, part: XmlPart, signal: AbortSignal): Promise<void> {
  let rest = "";
  for await (const chunk of xmlOf(file, part)) {
    signal.throwIfAborted();
    const text = rest + chunk.toString("latin1");
    checkXml(text);
    rest = text.slice(Math.max(0, text.lastIndexOf("<")));
    if (rest.length > LONGEST_TAG) throw unreadable();
  }
}

async function* xmlOf(file: FileHandle, { start, end, isDeflated }: XmlPart): AsyncGenerator<Buffer> {
  if (end <= start) return;
  const stored = file.createReadStream({ start, end: end - 1, autoClose: false });
  const inflate = isDeflated ? stored.pipe(createInflateRaw()) : stored;
  try {
    yield* inflate;
  } catch (thrown) {
    // zlib finds deflated data that is damaged or cut off.
    if (thrown instanceof Error && "code" in thrown && /^Z_/.test(String(thrown.code))) throw unreadable();
    throw thrown;
  }
}

/** @throws {ServiceError} for a tag that links a file, and for text whose tags cannot be found */
function checkXml(text: string): void {
  if (UNREADABLE.test(text)) throw unreadable();
  for (const [, name = "", attributes = ""] of text.matchAll(TAG)) {
    if (HYPERLINK.test(name)) continue;
    for (const [, quoted, single = ""] of attributes.matchAll(LINK)) {
      const address = withoutEntities(quoted ?? single);
      if ([address, withoutEscapes(address)].some((one) => OUTSIDE.test(one))) throw linked();
    }
  }
}

/** Replaces character references and the entities of XML (XML 1.0, 4.1 and 4.6). */
function withoutEntities(text: string): string {
  const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (all, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? all;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

function withoutEscapes(address: string): string {
  return address.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

async function read(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.alloc(end - start);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
  if (bytesRead < buffer.length) throw unreadable();
  return buffer;
}

function linked(): ServiceError {
  return new ServiceError(
    "unsupported_input",
    "The document shows a file that is not in it. Embed the file (in LibreOffice: Edit > External Links > Break Link).",
  );
}

function unreadable(): ServiceError {
  return new ServiceError("damaged_file", "The document cannot be read: it is damaged. Save it again.");
}
