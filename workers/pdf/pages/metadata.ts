import type { PdfDocument } from "../file/document.ts";
import { UndecodableStream } from "../file/filters.ts";
import { latin1, latin1Bytes } from "../syntax/characters.ts";
import { PdfStream } from "../syntax/objects.ts";

/** The pictures of pages that some programs put into the metadata. */
const THUMBNAILS = /<(xmp|xap):Thumbnails\b[^>]*>.*?<\/\1:Thumbnails>/gs;

/** A metadata stream (ISO 32000-2, 14.3.2) without pictures of pages: they may show one that does not travel. */
export function withoutThumbnails(document: PdfDocument, metadata: PdfStream): PdfStream {
  let text: string;
  try {
    text = latin1(document.decoded(metadata));
  } catch (error) {
    if (error instanceof UndecodableStream) return metadata;
    throw error;
  }
  if (!/:Thumbnails\b/.test(text)) return metadata;
  const dict = metadata.dict.clone();
  for (const key of ["Filter", "DecodeParms"]) dict.delete(key);
  return new PdfStream(dict, { kind: "memory", bytes: latin1Bytes(text.replace(THUMBNAILS, "")) });
}
