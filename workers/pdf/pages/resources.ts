import type { PdfDocument } from "../file/document.ts";
import { UndecodableStream } from "../file/filters.ts";
import { PdfDict, type PdfObject, PdfStream } from "../syntax/objects.ts";
import { ContentNames, RESOURCE_KINDS, type ResourceKind } from "./content-names.ts";

/** Content that inherits its resources is followed this deep. */
const DEPTH_LIMIT = 16;
/** Content beyond this is not read: then all its resources are kept. */
const CONTENT_LIMIT = 32 * 1024 * 1024;

/** The colour spaces that stand in for device colours without being named (ISO 32000-2, 8.6.5.6). */
const IMPLICIT_COLOR_SPACES = new Set(["DefaultGray", "DefaultRGB", "DefaultCMYK"]);

/**
 * Resources without the entries that their content does not use: pages often share one dictionary, and what only
 * other pages draw must not travel. Where the content cannot be read reliably, they stay whole.
 *
 * @param contents the streams that are drawn with these resources, in order
 */
export function usedResources(
  document: PdfDocument,
  resources: PdfDict,
  contents: readonly PdfObject[],
): PdfDict {
  const names = new ContentNames();
  const reader = new Reader(document, resources, names);
  if (!contents.every((content) => reader.read(content, 0)) || !reader.follow(0)) return resources;
  const pruned = resources.clone();
  for (const kind of RESOURCE_KINDS) {
    const entries = document.dict(resources.get(kind));
    if (!entries) continue;
    const used = names.used.get(kind) ?? new Set();
    const kept = [...entries.entries].filter(
      ([name]) => used.has(name) || (kind === "ColorSpace" && IMPLICIT_COLOR_SPACES.has(name)),
    );
    if (kept.length === entries.entries.size) continue;
    if (kept.length > 0) pruned.set(kind, new PdfDict(new Map(kept)));
    else pruned.delete(kind);
  }
  return pruned;
}

class Reader {
  readonly #document: PdfDocument;
  readonly #resources: PdfDict;
  readonly #names: ContentNames;
  readonly #followed = new Set<string>();
  #read = 0;

  constructor(document: PdfDocument, resources: PdfDict, names: ContentNames) {
    this.#document = document;
    this.#resources = resources;
    this.#names = names;
  }

  /** Reads one content stream or an array of them; false when that cannot be done. */
  read(content: PdfObject, depth: number): boolean {
    const found = this.#document.resolve(content);
    if (Array.isArray(found)) {
      return depth < DEPTH_LIMIT && this.#readTogether(found);
    }
    return !(found instanceof PdfStream) || this.#readTogether([found]);
  }

  /** Streams of one array are one content: a token never runs over their ends, an operation may. */
  #readTogether(streams: readonly PdfObject[]): boolean {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for (const item of streams) {
      const stream = this.#document.resolve(item);
      if (!(stream instanceof PdfStream)) continue;
      try {
        const piece = this.#document.decoded(stream);
        pieces.push(piece);
        length += piece.length + 1;
        this.#read += piece.length;
      } catch (error) {
        if (error instanceof UndecodableStream) return false;
        throw error;
      }
      if (this.#read > CONTENT_LIMIT) return false;
    }
    const [only] = pieces;
    if (pieces.length === 1 && only) return this.#names.add(only);
    const whole = new Uint8Array(length).fill(0x20);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length + 1;
    }
    return this.#names.add(whole);
  }

  /** Reads what is drawn with the same resources because it has none of its own: forms, patterns, Type 3 glyphs. */
  follow(depth: number): boolean {
    if (depth > DEPTH_LIMIT) return false;
    let more = false;
    for (const kind of ["XObject", "Pattern", "Font"] as const) {
      for (const name of this.#names.used.get(kind) ?? []) {
        if (this.#followed.has(`${kind}/${name}`)) continue;
        this.#followed.add(`${kind}/${name}`);
        more = true;
        if (!this.#followOne(kind, name, depth)) return false;
      }
    }
    return !more || this.follow(depth + 1);
  }

  #followOne(kind: ResourceKind, name: string, depth: number): boolean {
    const object = this.#document.resolve(this.#document.dict(this.#resources.get(kind))?.get(name));
    if (object instanceof PdfStream) {
      const draws = object.dict.is("Subtype", "Form") || object.dict.has("PatternType");
      return !draws || object.dict.has("Resources") || this.read(object, depth);
    }
    if (!(object instanceof PdfDict) || !object.is("Subtype", "Type3") || object.has("Resources"))
      return true;
    const glyphs = this.#document.dict(object.get("CharProcs"));
    return [...(glyphs?.entries.values() ?? [])].every((glyph) => this.read(glyph, depth));
  }
}

/** Whether a stream draws with resources of its own: a form or a tiling pattern. */
export function drawsWithOwnResources({ dict }: PdfStream): boolean {
  return dict.has("Resources") && (dict.is("Subtype", "Form") || dict.get("PatternType") === 1);
}
