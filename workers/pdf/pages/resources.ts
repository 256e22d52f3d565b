import type { PdfDocument } from "../file/document.ts";
import { UndecodableStream } from "../file/filters.ts";
import { PdfDict, type PdfObject, PdfRef, PdfStream } from "../syntax/objects.ts";
import { countNames, namesIn, RESOURCE_KINDS, type ResourceKind, type UsedNames } from "./content-names.ts";

/** Content that inherits its resources is followed this deep. */
const DEPTH_LIMIT = 16;
/** Content beyond this is not read: then all its resources are kept. */
const CONTENT_LIMIT = 64 * 1024 * 1024;
/** What is known of so many contents, and so many names in them, is remembered, for pages share them. */
const CONTENTS_KEPT = 20_000;
const NAMES_KEPT = 500_000;

/** The colour spaces that stand in for device colours without being named (ISO 32000-2, 8.6.5.6). */
const IMPLICIT_COLOR_SPACES = new Set(["DefaultGray", "DefaultRGB", "DefaultCMYK"]);

/** Content that cannot be read: any resource may be in use. */
const UNREADABLE = "unreadable";
type ContentUse = UsedNames | typeof UNREADABLE;
const NOTHING: UsedNames = new Map();

/**
 * Tells which resources content uses. Pages often share one dictionary of resources, and what only other pages draw
 * must not travel.
 */
export class ContentReader {
  readonly #document: PdfDocument;
  readonly #known = new Map<string, ContentUse>();
  #knownNames = 0;
  readonly #missing = new Map<number, UsedNames>();
  #nesting = 0;

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  /**
   * Resources without the entries that content does not use.
   *
   * @param contents what is drawn with these resources: streams, or arrays of streams that are one content
   */
  usedResources(resources: PdfDict, contents: readonly PdfObject[]): PdfDict {
    const used = this.#usedWith(resources, contents);
    if (used === UNREADABLE) return resources;
    const pruned = resources.clone();
    // Pages may share dictionaries that are gone through for each.
    this.#document.budget.spend(countNames(used));
    for (const kind of RESOURCE_KINDS) {
      const entries = this.#document.dict(resources.get(kind));
      if (!entries) continue;
      this.#document.budget.spend(2 * entries.size);
      const names = used.get(kind);
      const kept: [string, PdfObject][] = [];
      for (let index = 0; index < entries.size; index++) {
        const name = entries.keyAt(index);
        const isUsed = names?.has(name) || (kind === "ColorSpace" && IMPLICIT_COLOR_SPACES.has(name));
        if (isUsed) kept.push([name, entries.valueAt(index)]);
      }
      if (kept.length === entries.size) continue;
      this.#document.budget.keepEntries(kept.length);
      if (kept.length > 0) pruned.set(kind, PdfDict.from(kept));
      else pruned.delete(kind);
    }
    return pruned;
  }

  /** A stream that draws with resources of its own (a form, a tiling pattern), with those only that it uses. */
  withUsedResources(stream: PdfStream): PdfStream {
    const resources = this.#document.dict(stream.dict.get("Resources"));
    if (!resources) return stream;
    const dict = stream.dict.clone();
    dict.set("Resources", this.usedResources(resources, [stream]));
    return new PdfStream(dict, stream.data);
  }

  /** A Type 3 font with those resources only that its glyphs use. */
  type3WithUsedResources(font: PdfDict): PdfDict {
    const resources = this.#document.dict(font.get("Resources"));
    if (!resources) return font;
    const own = font.clone();
    const glyphs = this.#document.dict(font.get("CharProcs"));
    this.#document.budget.list(glyphs?.size ?? 0);
    own.set("Resources", this.usedResources(resources, [...(glyphs?.values() ?? [])]));
    return own;
  }

  /** What contents name, and what is drawn on the way by what has no resources of its own. */
  #usedWith(resources: PdfDict, contents: readonly PdfObject[]): ContentUse {
    const used = new Map(RESOURCE_KINDS.map((kind) => [kind, new Set<string>()]));
    const followed = new Set<string>();
    let next = [...contents];
    for (let depth = 0; next.length > 0; depth++) {
      if (depth > DEPTH_LIMIT) return UNREADABLE;
      for (const content of next) {
        const own = this.#useOf(content);
        if (own === UNREADABLE) return UNREADABLE;
        // Pages may share what names very much.
        this.#document.budget.list(2 * countNames(own));
        for (const [kind, names] of own) for (const name of names) used.get(kind)?.add(name);
      }
      next = [];
      this.#document.budget.list(2 * countNames(used));
      for (const kind of ["XObject", "Pattern", "Font", "ExtGState"] as const) {
        for (const name of used.get(kind) ?? []) {
          if (followed.has(`${kind}/${name}`)) continue;
          followed.add(`${kind}/${name}`);
          const named = this.#document.dict(resources.get(kind))?.get(name);
          // A graphics state draws by its soft mask.
          const entry =
            kind === "ExtGState"
              ? this.#document.dict(this.#document.dict(named)?.get("SMask"))?.get("G")
              : named;
          const object = this.#document.resolve(entry);
          next.push(...this.#inheriting(entry, object));
          for (const [missing, names] of this.#missingIn(object)) {
            for (const other of names) used.get(missing)?.add(other);
          }
        }
      }
    }
    return used;
  }

  /** What a form names without having it: readers then look into the resources of what draws the form. */
  #missingIn(object: PdfObject): UsedNames {
    const num = numberOf(object);
    if (!(object instanceof PdfStream) || num === undefined || object.dict.is("Subtype", "Image"))
      return NOTHING;
    const known = this.#missing.get(num);
    if (known) return known;
    // For a form that draws itself, until it is known better.
    this.#missing.set(num, NOTHING);
    if (this.#nesting >= DEPTH_LIMIT) return NOTHING;
    this.#nesting++;
    const resources = this.#document.dict(object.dict.get("Resources"));
    const used = resources ? this.#usedWith(resources, [object]) : NOTHING;
    this.#nesting--;
    const missing = new Map<ResourceKind, ReadonlySet<string>>();
    for (const [kind, names] of used === UNREADABLE ? NOTHING : used) {
      const own = this.#document.dict(resources?.get(kind));
      const absent = [...names].filter((name) => !own?.has(name));
      if (absent.length > 0) missing.set(kind, new Set(absent));
    }
    this.#missing.set(num, missing);
    return missing;
  }

  /** The contents of a resource that is drawn with the resources of what names it. */
  #inheriting(entry: PdfObject | undefined, object: PdfObject): PdfObject[] {
    if (object instanceof PdfStream) {
      const isImage = object.dict.is("Subtype", "Image");
      return isImage || hasResources(this.#document, object.dict) || entry === undefined ? [] : [entry];
    }
    if (!(object instanceof PdfDict) || !object.is("Subtype", "Type3")) return [];
    if (hasResources(this.#document, object)) return [];
    const glyphs = this.#document.dict(object.get("CharProcs"));
    this.#document.budget.list(glyphs?.size ?? 0);
    return [...(glyphs?.values() ?? [])].slice(0, 4096);
  }

  #useOf(content: PdfObject): ContentUse {
    const found = this.#document.resolve(content);
    const streams = Array.isArray(found) ? this.#document.array(content) : [content];
    const key = streams.map((stream) => numberOf(stream) ?? "?").join(" ");
    const known = this.#known.get(key);
    if (known) return known;
    const use = this.#read(streams);
    const names = use === UNREADABLE ? 0 : countNames(use);
    const isKept = this.#known.size < CONTENTS_KEPT && this.#knownNames + names <= NAMES_KEPT;
    if (key.includes("?") || !isKept) return use;
    this.#known.set(key, use);
    this.#knownNames += names;
    return use;
  }

  /** Streams of one array are one content: a token never runs over their ends, an operation may. */
  #read(objects: readonly PdfObject[]): ContentUse {
    const pieces: Uint8Array[] = [];
    /** Pieces by object number: a content may repeat one. */
    const decoded = new Map<number | undefined, Uint8Array>();
    let length = 0;
    for (const object of objects) {
      const stream = this.#document.resolve(object);
      if (!(stream instanceof PdfStream)) continue;
      try {
        const num = numberOf(stream);
        const known = num === undefined ? undefined : decoded.get(num);
        const piece = known ?? this.#document.decoded(stream);
        decoded.set(num, piece);
        pieces.push(piece);
        length += piece.length + 1;
      } catch (error) {
        if (error instanceof UndecodableStream) return UNREADABLE;
        throw error;
      }
      if (length > CONTENT_LIMIT) return UNREADABLE;
    }
    const [only] = pieces;
    if (pieces.length === 1 && only) return namesIn(only) ?? UNREADABLE;
    const whole = new Uint8Array(length).fill(0x20);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.length + 1;
    }
    return namesIn(whole) ?? UNREADABLE;
  }
}

/** Whether what is drawn has resources of its own: an entry that leads nowhere is as good as none (ISO 32000-2, 7.3.7). */
export function hasResources(document: PdfDocument, drawn: PdfDict): boolean {
  return document.resolve(drawn.get("Resources")) !== null;
}

/** The number of the object that a stream is. */
function numberOf(stream: PdfObject): number | undefined {
  if (stream instanceof PdfRef) return stream.num;
  return stream instanceof PdfStream && stream.data.kind === "file" ? stream.data.owner.num : undefined;
}
