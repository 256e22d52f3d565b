import { latin1 } from "../syntax/characters.ts";
import { PdfName, type PdfObject } from "../syntax/objects.ts";

/** The bytes to test: the start of a packet, up to four bytes for a character. */
export const BEGINNING = 64;

/**
 * The start of XMP (ISO 16684-1, 7.3) and other XML in any encoding, without zero bytes. Matches one in millions of
 * encrypted streams.
 */
const XML = /^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)?\s*<[?!A-Za-z][\x20-\x7e\t\r\n]{10}/;

/**
 * Returns whether a metadata stream is not encrypted: it begins like XML, or like zlib data if that is its filter. Some
 * writers do not encrypt any metadata, although `EncryptMetadata` is about the document's metadata only.
 *
 * @param filter the first filter to decode, or null
 */
export function beginsUnencrypted(filter: PdfObject, beginning: Uint8Array): boolean {
  if (filter === null) return XML.test(latin1(beginning).replaceAll("\0", ""));
  return filter instanceof PdfName && filter.value === "FlateDecode" && beginsAsZlib(beginning);
}

/** Checks a zlib header (RFC 1950): deflate, a window of at most 32 KB, a valid check, no preset dictionary. */
function beginsAsZlib([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 0x8f) === 8 && (flags & 0x20) === 0 && (method * 256 + flags) % 31 === 0;
}
