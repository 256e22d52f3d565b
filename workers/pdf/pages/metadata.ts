import type { PdfDocument } from "../file/document.ts";
import { UndecodableStream } from "../file/filters.ts";
import { latin1, latin1Bytes } from "../syntax/characters.ts";
import { PdfStream } from "../syntax/objects.ts";

/** Where pictures of pages begin, whatever prefix stands for their namespace. */
const OPENING = /<([\w.-]{1,64}:)?(Thumbnails|PageInfo)(?=[\s/>])/g;
/** The rest of an element that has nothing in it. */
const EMPTY_ELEMENT = /\s*(?:[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*')\s*)*\/>/y;

/** A document's metadata (ISO 32000-2, 14.3.2), read once. */
export class Metadata {
  readonly #document: PdfDocument;
  #kept: { readonly stream: PdfStream | undefined } | undefined;

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /**
   * Without pictures of pages, for they may show one that does not travel; undefined when there is none, or it cannot
   * be told whether it has any.
   */
  get withoutPagePictures(): PdfStream | undefined {
    if (!this.#kept) {
      const metadata = this.#document.resolve(this.#document.catalog?.get("Metadata"));
      const isStream = metadata instanceof PdfStream;
      this.#kept = { stream: isStream ? withoutPagePictures(this.#document, metadata) : undefined };
    }
    return this.#kept.stream;
  }
}

function withoutPagePictures(document: PdfDocument, metadata: PdfStream): PdfStream | undefined {
  let text: string;
  try {
    text = latin1(document.decoded(metadata));
  } catch (error) {
    if (error instanceof UndecodableStream) return undefined;
    throw error;
  }
  // Packets of two or four bytes a character are rare enough to go without when they hold pictures.
  if (text.includes("\0") && /Thumbnails|PageInfo/.test(text.replaceAll("\0", ""))) return undefined;
  const kept = cutPagePictures(text);
  if (kept === text) return metadata;
  if (kept === undefined) return undefined;
  const dict = metadata.dict.clone();
  for (const key of ["Filter", "DecodeParms"]) dict.delete(key);
  return new PdfStream(dict, { kind: "memory", bytes: latin1Bytes(kept) });
}

/** The text without the elements that hold pictures of pages; undefined when one has no end. */
function cutPagePictures(text: string): string | undefined {
  const kept: string[] = [];
  let from = 0;
  OPENING.lastIndex = 0;
  for (let opening = OPENING.exec(text); opening; opening = OPENING.exec(text)) {
    EMPTY_ELEMENT.lastIndex = OPENING.lastIndex;
    let end = EMPTY_ELEMENT.test(text) ? EMPTY_ELEMENT.lastIndex : 0;
    if (end === 0) {
      const closing = text.indexOf(`</${opening[1] ?? ""}${opening[2]}`, opening.index);
      end = closing < 0 ? 0 : text.indexOf(">", closing) + 1;
    }
    if (end === 0) return undefined;
    kept.push(text.slice(from, opening.index));
    from = end;
    OPENING.lastIndex = from;
  }
  return from === 0 ? text : kept.join("") + text.slice(from);
}
