import { ContentReader } from "../content/content-reader.ts";
import { PartUse } from "../content/content-use.ts";
import { objectNumber } from "../content/resource-scope.ts";
import { type Change, withChanges, without } from "../copy/changes.ts";
import type { Kind } from "../copy/kinds.ts";
import type { DocumentChanges } from "../copy/whole-document.ts";
import type { PdfDocument } from "../file/document.ts";
import { newIdentifier } from "../file/file-identifier.ts";
import { SECTION_KEYS } from "../file/read-cross-reference.ts";
import { appearancesOf, hasText } from "../pages/appearances.ts";
import { dictOf, PdfDict, PdfName, type PdfObject, PdfRef, PdfStream, resolved } from "../syntax/objects.ts";
import { DefaultResources } from "./default-resources.ts";
import { PageFlattener } from "./flatten.ts";
import { withoutImageMetadata } from "./image-metadata.ts";
import { entryKindsOfWhole } from "./kinds.ts";
import { LayerContent } from "./layer-content.ts";
import { LostElements } from "./lost-elements.ts";
import type { PlaceFinder } from "./place-finder.ts";
import type { Category } from "./places.ts";
import { inseparable } from "./visible-content.ts";

/** Lists from which removed objects go. In other lists, they become null. */
const LISTS = ["Annots", "Fields", "Kids", "Next", "CO", "Alternates"];
/** What a structure element says in place of its content (ISO 32000-2, Table 355). */
const TEXTS_OF_ELEMENT = ["T", "Alt", "ActualText", "E"];
/** Entries about a section of the file. In a damaged file, they may lead to objects. */
const OF_SECTION = [...SECTION_KEYS, "Encrypt"];

/** Copies a document without what a finder finds. */
export class Cleaner implements DocumentChanges {
  readonly trailer: PdfDict;
  readonly #document: PdfDocument;
  readonly #finder: PlaceFinder;
  readonly #contents: ContentReader;
  readonly #flattener: PageFlattener | undefined;
  readonly #defaults: DefaultResources;
  /** Undefined if there is no hidden content, or if it stays. */
  readonly #layers: LayerContent | undefined;
  /** The numbers of the dictionaries that are copied as objects of their own. */
  readonly #numbers = new WeakMap<PdfDict, number>();
  /** Known when the first element is copied. */
  #lostElements: LostElements | undefined;

  /** @param flattens whether form fields and annotations are drawn into the pages */
  constructor(document: PdfDocument, finder: PlaceFinder, flattens: boolean) {
    this.#document = document;
    this.#finder = finder;
    // Hidden content of a form may use resources of the page.
    const shown = (drawn: PdfStream) => {
      const kinds = finder.kindsOf(objectNumber(drawn) ?? 0, "other");
      return kinds.some((kind) => DRAWS.has(kind)) ? this.#visible(drawn) : drawn;
    };
    this.#contents = new ContentReader(document, { undecodable: "undetermined", shown });
    const clean = (appearance: PdfStream) => this.#cleanStream(appearance, "appearance");
    this.#flattener = flattens ? new PageFlattener(document, finder, clean) : undefined;
    this.#defaults = new DefaultResources(document, finder);
    const hasHidden = finder.finds("layers") && finder.layers.mayHide;
    if (hasHidden && finder.layers.isUnclear) throw inseparable();
    this.#layers = hasHidden ? new LayerContent(document, finder.layers) : undefined;
    const trailer = this.#without(document.trailer, "trailer");
    this.trailer = withChanges(trailer, without(trailer, OF_SECTION));
    if (finder.finds("metadata") && this.trailer.has("ID")) {
      this.trailer.set("ID", [newIdentifier(), newIdentifier()]);
    }
  }

  readonly entryKinds = entryKindsOfWhole;

  kindOf(object: PdfDict | PdfStream, place: Kind, num?: number): Kind {
    return this.#finder.kindOf(object, place, num);
  }

  prepare(object: PdfObject, num: number, kind: Kind): PdfObject | undefined {
    if (!(object instanceof PdfDict || object instanceof PdfStream)) return object;
    const kinds = this.#finder.kindsOf(num, kind);
    if (kinds.some((one) => this.#categoryOf(object, one, num) !== undefined)) return undefined;
    // prepareDict knows the first kind only.
    let dict = object instanceof PdfStream ? object.dict : object;
    for (const other of kinds.slice(1)) dict = this.#without(dict, other, num);
    this.#numbers.set(dict, num);
    if (!(object instanceof PdfStream)) return dict;
    return this.#cleanStream(dict === object.dict ? object : new PdfStream(dict, object.data), kind);
  }

  /**
   * Returns a stream without metadata, hidden content and resources that its content does not use; undefined when its data
   * cannot be understood.
   */
  #cleanStream(stream: PdfStream, kind: Kind): PdfStream | undefined {
    let clean = stream;
    if (DRAWS.has(kind) && !stream.dict.is("Subtype", "Image")) {
      const fonts = APPEARANCES.has(kind) ? this.#defaults.fonts : undefined;
      clean = this.#contents.withUsedResources(this.#visible(stream), new PartUse(), { fonts });
    }
    return this.#finder.finds("metadata") ? withoutImageMetadata(this.#document, clean) : clean;
  }

  prepareDict(dict: PdfDict, kind: Kind): PdfDict | undefined {
    if (this.#categoryOf(dict, kind) !== undefined) return undefined;
    const clean = this.#without(dict, kind);
    switch (kind) {
      case "page":
        return this.#page(clean, dict.array("Annots"));
      case "catalog":
        return this.#layers
          ? withChanges(clean, [["OCProperties", this.#finder.layers.shownProperties]])
          : clean;
      case "annotation":
        // Without an appearance, it is one that flattening leaves.
        return this.#defaults.reduced(
          this.#flattener?.keeps(clean) ? withChanges(clean, without(clean, ["AP", "AS"])) : clean,
        );
      case "font":
        return this.#withUsedGlyphResources(clean);
      case "field":
      case "form":
        return this.#defaults.reduced(clean);
      case "membership":
        return this.#layers && this.#finder.layers.dependsOnHidden(clean) ? ALWAYS_SHOWN : clean;
      case "element":
        return this.#hasLostContent(clean)
          ? withChanges(
              clean,
              TEXTS_OF_ELEMENT.map((key) => [key, undefined]),
            )
          : clean;
      default:
        return clean;
    }
  }

  /** Returns the category of an object that is removed as a whole. */
  #categoryOf(object: PdfDict | PdfStream, kind: Kind, num?: number): Category | undefined {
    const category = this.#finder.categoryOf(object, kind, num);
    const stays = category === "drawn" && object instanceof PdfDict && this.#flattener?.keeps(object);
    return stays ? undefined : category;
  }

  #without(dict: PdfDict, kind: Kind, num = this.#numbers.get(dict)): PdfDict {
    const removed = new Set(this.#finder.entriesOf(dict, kind, num).map(([key]) => key));
    const changes: Change[] = [...removed].map((key) => [key, undefined]);
    const { byKey, rest } = entryKindsOfWhole(kind);
    for (const key of LISTS) {
      if (removed.has(key)) continue;
      const list = dict.has(key) ? dict.value(key) : null;
      if (!Array.isArray(list)) continue;
      const place = byKey.get(key) ?? rest;
      const kept = list.filter((item) => !this.#isRemoved(item, place));
      if (kept.length < list.length) changes.push([key, kept.length > 0 ? kept : undefined]);
    }
    return withChanges(dict, changes);
  }

  #isRemoved(item: PdfObject, place: Kind): boolean {
    return this.#categoryOfItem(item, place) !== undefined;
  }

  /** Returns the category of an item of a list that is removed. */
  #categoryOfItem(item: PdfObject, place: Kind): Category | undefined {
    const num = item instanceof PdfRef ? item.num : undefined;
    const object = resolved(item);
    if (!(object instanceof PdfDict || object instanceof PdfStream)) return undefined;
    const kind = this.#finder.kindOf(object, place, num);
    const kinds = num === undefined ? [kind] : this.#finder.kindsOf(num, kind);
    for (const one of kinds) {
      const category = this.#categoryOf(object, one, num);
      if (category !== undefined) return category;
    }
    return undefined;
  }

  #page(page: PdfDict, annotations: readonly PdfObject[]): PdfDict {
    const staying = () =>
      annotations.filter((item) => {
        const category = this.#categoryOfItem(item, "annotation");
        return category === undefined || category === "drawn";
      });
    const clean = this.#withUsedResources(this.#layers?.visiblePage(page) ?? page, staying());
    return this.#flattener ? this.#flattener.flatten(clean, annotations) : clean;
  }

  #visible(stream: PdfStream): PdfStream {
    return this.#layers?.visibleStream(stream) ?? stream;
  }

  /**
   * Returns a page without the resources that nothing draws: programs that extract pages often leave those of the others.
   *
   * @param annotations those that stay. Their appearances may use the resources of the page
   */
  #withUsedResources(page: PdfDict, annotations: readonly PdfObject[]): PdfDict {
    // The content is read without resources, too, so that an error can name the page.
    const resources = page.dict("Resources") ?? new PdfDict();
    const contents = [page.get("Contents") ?? null];
    const used = this.#contents.usedResources(resources, contents, new PartUse(), {
      appearances: appearancesOf(annotations),
      fonts: annotations.some(hasText) ? this.#defaults.fonts : undefined,
    });
    // Pages go on sharing resources that all of them use.
    const isWhole = [...resources.entries()].every(([key, value]) => used.get(key) === value);
    return isWhole ? page : withChanges(page, [["Resources", used]]);
  }

  /** Returns a Type 3 font with the resources that its glyphs use (ISO 32000-2, 9.6.4). */
  #withUsedGlyphResources(font: PdfDict): PdfDict {
    const resources = font.dict("Resources");
    const glyphs = [...(font.dict("CharProcs")?.values() ?? [])];
    if (!resources) return font;
    // Fonts may share their glyphs.
    this.#document.budget.charge("entry", glyphs.length);
    const used = this.#contents.usedResources(resources, glyphs, new PartUse());
    return withChanges(font, [["Resources", used]]);
  }

  /** Returns whether content of a structure element has gone, so that its texts go, too. */
  #hasLostContent(element: PdfDict): boolean {
    if (this.#layers) this.#lostElements ??= new LostElements(this.#document, this.#finder, this.#layers);
    if (this.#lostElements?.has(element)) return true;
    return element.list("K").some((kid) => {
      const object = dictOf(kid);
      return object?.has("Obj") === true && this.#isRemoved(object.get("Obj") ?? null, "annotation");
    });
  }
}

/** Kinds of streams with content. */
const DRAWS: ReadonlySet<Kind> = new Set(["XObject", "appearance", "state appearance", "pattern"] as const);
const APPEARANCES: ReadonlySet<Kind> = new Set(["appearance", "state appearance"] as const);
/** A membership dictionary without layers has no effect (ISO 32000-2, Table 97). */
const ALWAYS_SHOWN = PdfDict.from([["Type", PdfName.of("OCMD")]]);
