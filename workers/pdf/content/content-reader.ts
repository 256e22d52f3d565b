import { concatBytes } from "../../io/concat-bytes.ts";
import type { PdfDocument } from "../file/document.ts";
import { FILTER_LIMIT, TooManyFilters, UndecodableStream } from "../file/filters.ts";
import { dictOf, PdfDict, type PdfObject, PdfRef, PdfStream, resolved, streamOf } from "../syntax/objects.ts";
import { contentUse, undeterminedUse } from "./content-scanner.ts";
import {
  type CodeSet,
  type ContentUse,
  type PartUse,
  RESOURCE_KINDS,
  type ResourceKind,
  type UsedNames,
} from "./content-use.ts";
import { hasResources, objectNumber, type ResourceScope, scopeOf } from "./resource-scope.ts";
import { encodingFor, glyphProceduresOf } from "./type3-glyphs.ts";

/** The most contents in the cache, and the most names in them. Pages share contents. */
const CONTENTS_KEPT = 20_000;
const NAMES_KEPT = 500_000;
/** Content up to this many bytes is held in memory while it is read. Longer content is read in chunks. */
const HELD_CONTENT = 4 * 1024 * 1024;
/** Separates the streams of one content. A token does not continue in the next stream. */
const SEPARATOR = Uint8Array.of(0x20);

/** The color spaces that replace device colors without being named (ISO 32000-2, 8.6.5.6). */
const IMPLICIT_COLOR_SPACES = new Set(["DefaultGray", "DefaultRGB", "DefaultCMYK"]);

/** What else than content uses resources. */
interface OtherUse {
  /** The appearances of the annotations. Readers look up the names that their own resources lack in the page's. */
  readonly appearances?: readonly PdfObject[];
  /** The names of fonts in which readers may draw fields again. */
  readonly fonts?: ReadonlySet<string> | undefined;
}

const NO_NAMES: ReadonlySet<string> = new Set();

/** How a {@link ContentReader} reads. */
interface ReadingOptions {
  /**
   * What content uses that Stayput cannot decode: no resources, which is the default, or what cannot be determined. Some
   * readers ignore filters that they do not know
   */
  readonly undecodable?: "nothing" | "undetermined";
  /** Returns a stream without content that does not count. Default: all counts. */
  readonly shown?: (stream: PdfStream) => PdfStream;
}

/**
 * Finds the resources that content uses. Pages often share one dictionary of resources, and resources that
 * only other pages use must not be copied.
 */
export class ContentReader {
  readonly #document: PdfDocument;
  readonly #options: ReadingOptions;
  readonly #uses = new Map<string, ContentUse>();
  #knownNames = 0;
  readonly #known = {
    useOf: (content: PdfObject) => this.#useOf(content),
    missing: new Map<number, ContentUse>(),
  };
  /** The fonts that hold only the glyphs in use. */
  readonly #reducedFonts = new WeakSet<PdfDict>();

  constructor(document: PdfDocument, options: ReadingOptions = {}) {
    this.#document = document;
    this.#options = options;
  }

  /**
   * Returns resources without the entries that content does not use.
   *
   * @param contents the content that uses these resources: streams, or arrays of streams that are one content
   * @param part records the glyphs and layers in use
   * @throws {ServiceError} `input_too_large` or `damaged_file` when the use of content cannot be determined
   */
  usedResources(
    resources: PdfDict,
    contents: readonly PdfObject[],
    part: PartUse,
    { appearances = [], fonts = NO_NAMES }: OtherUse = {},
  ): PdfDict {
    const scope = scopeOf(this.#document.budget, this.#known, resources, contents, appearances);
    this.#document.budget.charge("entry", fonts.size + resources.size);
    for (const name of fonts) scope.used.addName("Font", name);
    const pruned = new PdfDict();
    for (const [key, value] of resources.entries()) {
      if (key === "ProcSet") pruned.set(key, value);
      if (!isKind(key)) continue;
      const entries = dictOf(value);
      const kept = entries && this.#usedEntries(key, entries, scope, part);
      if (!kept || kept.length === 0) continue;
      const isWhole =
        kept.length === entries.size && kept.every(([name, entry]) => entries.get(name) === entry);
      pruned.set(key, isWhole ? value : PdfDict.from(kept));
    }
    return pruned;
  }

  /** Returns the names of resources that content uses, by kind. Throws as {@link usedResources} does. */
  namesInUse(
    resources: PdfDict,
    contents: readonly PdfObject[],
    appearances: readonly PdfObject[],
  ): UsedNames {
    return scopeOf(this.#document.budget, this.#known, resources, contents, appearances).used.names;
  }

  #usedEntries(
    kind: ResourceKind,
    entries: PdfDict,
    { used }: ResourceScope,
    part: PartUse,
  ): readonly (readonly [string, PdfObject])[] {
    const names = new Set(used.names.get(kind));
    if (kind === "ColorSpace") for (const name of IMPLICIT_COLOR_SPACES) names.add(name);
    // Many pages may share a large dictionary, so loop over the names that the content uses.
    const kept: [string, PdfObject][] = [];
    for (const name of names) {
      const entry = entries.get(name);
      if (entry === undefined) continue;
      kept.push([name, kind === "Font" ? this.#fontInUse(name, entry, used, part) : entry]);
      if (kind === "ExtGState") this.#addStateFont(entry, used, part);
      if (kind === "Properties" && entry instanceof PdfRef) {
        part.addLayer(entry.num);
      }
    }
    return kept;
  }

  /**
   * Returns a font for the output. A Type 3 font that is an indirect object is reduced later, when all its
   * text is known.
   */
  #fontInUse(name: string, entry: PdfObject, used: ContentUse, part: PartUse): PdfObject {
    const font = dictOf(entry);
    if (!font?.is("Subtype", "Type3")) return entry;
    const codes = used.codesOf(name);
    if (!(entry instanceof PdfRef)) return this.type3For(font, codes, part);
    part.addText(entry.num, codes);
    return entry;
  }

  /** Records text in the font that a graphics state selects (ISO 32000-2, Table 57). */
  #addStateFont(entry: PdfObject, used: ContentUse, part: PartUse): void {
    const [font] = dictOf(entry)?.array("Font") ?? [];
    if (!(font instanceof PdfRef)) return;
    part.addText(font.num, used.stateCodes);
  }

  /** Returns whether content shows text, or draws an object that may do so. */
  showsText(content: PdfObject): boolean {
    const { codes, inheritedFont, stateFont, names } = this.#useOf(content);
    const shown = [...codes.values(), inheritedFont, stateFont];
    return names.has("XObject") || shown.some((codes) => codes !== undefined && codes.size > 0);
  }

  /** Records text of these codes in all Type 3 fonts of the resources. */
  addText(resources: PdfObject | undefined, codes: CodeSet, part: PartUse): void {
    for (const font of dictOf(resources)?.dict("Font")?.values() ?? []) {
      if (font instanceof PdfRef && dictOf(font)?.is("Subtype", "Type3")) part.addText(font.num, codes);
    }
  }

  /**
   * Returns a stream with resources of its own (a form, a tiling pattern), reduced to the resources that it
   * uses. Throws as {@link usedResources} does.
   */
  withUsedResources(stream: PdfStream, part: PartUse, other: OtherUse = {}): PdfStream {
    if (!hasResources(stream.dict)) return stream;
    const resources = stream.dict.dict("Resources");
    const dict = stream.dict.clone();
    dict.set("Resources", resources ? this.usedResources(resources, [stream], part, other) : new PdfDict());
    return new PdfStream(dict, stream.data);
  }

  /**
   * Returns a Type 3 font with only the glyphs for the given codes and the resources that these glyphs use.
   * Throws as {@link usedResources} does.
   */
  type3For(font: PdfDict, codes: CodeSet, part: PartUse): PdfDict {
    const reduced = font.clone();
    const procedures = glyphProceduresOf(font, codes);
    reduced.set("CharProcs", PdfDict.from(procedures));
    const encoding = encodingFor(font, codes);
    if (encoding !== undefined) reduced.set("Encoding", encoding);
    const resources = font.dict("Resources");
    const contents = procedures.map(([, procedure]) => procedure);
    if (resources) reduced.set("Resources", this.usedResources(resources, contents, part));
    else reduced.delete("Resources");
    this.#reducedFonts.add(reduced);
    return reduced;
  }

  /** Returns whether a font comes from {@link type3For}. */
  isReduced(font: PdfDict): boolean {
    return this.#reducedFonts.has(font);
  }

  #useOf(content: PdfObject): ContentUse {
    const found = resolved(content);
    const streams = Array.isArray(found) ? found : [content];
    const key = streams.map((stream) => objectNumber(stream) ?? "?").join(" ");
    const known = this.#uses.get(key);
    if (known) return known;
    const use = this.#read(streams);
    const isKept = this.#uses.size < CONTENTS_KEPT && this.#knownNames + use.size <= NAMES_KEPT;
    if (key.includes("?") || !isKept) return use;
    this.#uses.set(key, use);
    this.#knownNames += use.size;
    return use;
  }

  #read(objects: readonly PdfObject[]): ContentUse {
    const held: Uint8Array[] = [];
    let length = 0;
    for (const chunk of this.#chunks(objects)) {
      length += chunk.length;
      if (length > HELD_CONTENT) return contentUse(() => this.#chunks(objects));
      held.push(chunk);
    }
    const whole = concatBytes(held);
    return contentUse(() => [whole]);
  }

  /**
   * Generates the decoded bytes of streams that are one content. A token never continues in the next stream.
   * An operation may.
   */
  *#chunks(objects: readonly PdfObject[]): Generator<Uint8Array> {
    const { undecodable, shown = (stream) => stream } = this.#options;
    for (const object of objects) {
      const stream = streamOf(object);
      if (!stream) continue;
      try {
        yield* this.#document.objects.decodedChunks(shown(stream));
      } catch (error) {
        if (error instanceof TooManyFilters) {
          const why = `is compressed more than ${FILTER_LIMIT} times over`;
          throw undeterminedUse("damaged_file", why, { filter_limit: FILTER_LIMIT });
        }
        if (!(error instanceof UndecodableStream)) throw error;
        if (undecodable === "undetermined") throw undeterminedUse("damaged_file", "cannot be decoded");
      }
      yield SEPARATOR;
    }
  }
}

function isKind(key: string): key is ResourceKind {
  return (RESOURCE_KINDS as readonly string[]).includes(key);
}
