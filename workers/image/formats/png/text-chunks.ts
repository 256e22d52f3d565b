import { inflateAtMost } from "../../../io/bounded-inflate.ts";
import { type Orientation, type Resolution, readExif, withoutExifSignature } from "../../metadata/exif.ts";
import { APP1_SIGNATURE } from "../../metadata/metadata.ts";

/** A chunk without its length and checksum. */
export interface PngChunk {
  readonly name: string;
  readonly data: Uint8Array;
}

/** The EXIF chunk and the text chunks (PNG 3, 11.3.3): a keyword, a zero, and the text, which may be compressed. */
export const CARRIED_CHUNKS: readonly string[] = ["eXIf", "tEXt", "zTXt", "iTXt"];

/** The longest keyword, with its zero. */
export const KEYWORD_BYTES = 80;

const EXIF = "eXIf";
const XMP = "XML:com.adobe.xmp";
/**
 * The keywords of EXIF and XMP in files of exiv2 before 0.28 and ImageMagick. `APP1` is a segment of a JPEG with EXIF
 * or XMP.
 */
const RAW = { exif: "Raw profile type exif", xmp: "Raw profile type xmp", app1: "Raw profile type APP1" };
const KEYWORDS: readonly string[] = [XMP, ...Object.values(RAW)];
const LONGEST_UNPACKED = 16 * 1024 * 1024;
/** One line for the name, one for the length in bytes, and lines of hexadecimal digits. */
const RAW_PROFILE = /^\n[^\n]{1,40}\n *(\d{1,9})\n([\da-f\n]*)/i;
const LATIN1 = new TextDecoder("latin1");

/** The contents of a chunk. Absent when it makes no sense. */
type Found = Uint8Array | undefined;

/** The metadata of a PNG. */
export interface CarriedMetadata {
  /** From the EXIF chunk only. Browsers ignore the orientation in text chunks. */
  readonly orientation: Orientation;
  readonly resolution: Resolution | undefined;
  /** The EXIF block, from its TIFF header on. */
  readonly exif: Uint8Array | undefined;
  readonly xmp: Uint8Array | undefined;
  /** Set when EXIF or XMP is too long to be read. */
  readonly isTooLong: true | undefined;
}

/**
 * Returns the kind of a metadata chunk: its type, or the keyword of a metadata text. Returns `undefined` for other
 * texts.
 *
 * @param start the first bytes of its contents
 */
export function carriedAs(name: string, start: Uint8Array): string | undefined {
  if (name === EXIF) return name;
  const keyword = LATIN1.decode(start.subarray(0, Math.max(0, start.indexOf(0))));
  return KEYWORDS.includes(keyword) ? keyword : undefined;
}

/**
 * Reads EXIF and XMP from chunks.
 *
 * @param chunks the chunks by kind, or "too long"
 */
export function carriedMetadata(chunks: ReadonlyMap<string, PngChunk | "too long">): CarriedMetadata {
  let isTooLong: true | undefined;
  const contentOf = (key: string): Found => {
    const chunk = chunks.get(key);
    const content = chunk === undefined || chunk === "too long" ? chunk : contentOfChunk(chunk, key);
    if (content !== "too long") return content;
    isTooLong = true;
    return undefined;
  };
  const own = contentOf(EXIF);
  const app1 = () => rawProfile(contentOf(RAW.app1));
  const exif = own ?? rawProfile(contentOf(RAW.exif)) ?? behind(APP1_SIGNATURE.exif, app1());
  const xmp = contentOf(XMP) ?? rawProfile(contentOf(RAW.xmp)) ?? behind(APP1_SIGNATURE.xmp, app1());
  const read = exif && readExif(exif);
  return {
    orientation: (own && read?.orientation) ?? 1,
    resolution: read?.resolution,
    exif: exif && withoutExifSignature(exif),
    xmp,
    isTooLong,
  };
}

function contentOfChunk(chunk: PngChunk, key: string): Found | "too long" {
  return chunk.name === EXIF ? chunk.data : textOf(chunk, key.length + 1);
}

/** Returns the decompressed text after the keyword (PNG 3, 11.3.3.2 to 11.3.3.4). */
function textOf({ name, data }: PngChunk, start: number): Found | "too long" {
  if (name === "tEXt") return data.subarray(start);
  if (name === "zTXt") return inflateAtMost(data.subarray(start + 1), LONGEST_UNPACKED);
  // Compression flag and method, then language and translated keyword, which end with a zero.
  const language = data.indexOf(0, start + 2);
  const keyword = language < 0 ? -1 : data.indexOf(0, language + 1);
  if (keyword < 0) return undefined;
  const text = data.subarray(keyword + 1);
  return data[start] === 1 ? inflateAtMost(text, LONGEST_UNPACKED) : text;
}

/** Decodes bytes from lines of hexadecimal digits. */
function rawProfile(text: Found): Found {
  const [, length = "", lines = ""] = RAW_PROFILE.exec(LATIN1.decode(text)) ?? [];
  const digits = lines.replaceAll("\n", "");
  const bytes = Uint8Array.from({ length: digits.length / 2 }, (_, index) =>
    Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16),
  );
  return length !== "" && bytes.length >= Number(length) ? bytes.subarray(0, Number(length)) : undefined;
}

/** Returns what follows a signature. */
function behind(signature: string, bytes: Found): Found {
  const isSigned = bytes && LATIN1.decode(bytes.subarray(0, signature.length)) === signature;
  return isSigned ? bytes.subarray(signature.length) : undefined;
}
