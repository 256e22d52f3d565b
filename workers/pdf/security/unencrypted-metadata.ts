import { latin1 } from "../syntax/characters.ts";
import { PdfName, type PdfObject } from "../syntax/objects.ts";

/** How many bytes tell whether metadata are encrypted: the opening of a packet, four bytes a character. */
export const TELLING_BYTES = 64;

/**
 * How XMP (ISO 16684-1, 7.3) and other XML begin, whatever their encoding, bytes that are zero left out. Of encrypted
 * data, one in millions does.
 */
const XML = /^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)?\s*<[?!A-Za-z][\x20-\x7e\t\r\n]{10}/;

/**
 * Whether a metadata stream begins as one that is not encrypted: as XML does, or as zlib where that is its filter. Some
 * writers left all metadata in the clear where `EncryptMetadata` speaks of the document's only.
 *
 * @param filter the one that is undone first; null when there is none
 */
export function beginsPlain(filter: PdfObject, beginning: Uint8Array): boolean {
  if (filter === null) return XML.test(latin1(beginning).replaceAll("\0", ""));
  return filter instanceof PdfName && filter.value === "FlateDecode" && beginsAsZlib(beginning);
}

/** RFC 1950: deflate, a window of 32 KB at most, a checked header, no dictionary set beforehand. */
function beginsAsZlib([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 0x8f) === 8 && (flags & 0x20) === 0 && (method * 256 + flags) % 31 === 0;
}
