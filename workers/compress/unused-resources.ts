import { ServiceError } from "../../src/shared/errors.ts";
import { ContentReader } from "../pdf/content/content-reader.ts";
import type { UsedNames } from "../pdf/content/content-use.ts";
import { objectNumber } from "../pdf/content/resource-scope.ts";
import { withChanges } from "../pdf/copy/changes.ts";
import type { DocumentChanges } from "../pdf/copy/whole-document.ts";
import type { PdfDocument } from "../pdf/file/document.ts";
import { appearancesOn, hasText } from "../pdf/pages/appearances.ts";
import { type Page, pageEntry } from "../pdf/pages/page-tree.ts";
import { dictOf, PdfDict, type PdfObject, PdfRef } from "../pdf/syntax/objects.ts";

/** The resources that take many bytes (ISO 32000-2, Table 34). */
const LARGE_KINDS = ["XObject", "Font", "Pattern", "Shading"] as const;
/** The resources that draw, or lead to what draws. */
const DRAWING_KINDS = [...LARGE_KINDS, "ExtGState"] as const;

/** What holds resources of pages: a page, a dictionary of resources, or the entries of one kind. */
type Holder = "page" | "resources" | "entries";

/**
 * The resources that pages list and nothing draws: programs that extract pages often leave the resources of the others. Only
 * dictionaries of pages lose entries. All that is listed by what is drawn, by annotations and by the form of the document stays.
 */
export class UnusedResources {
  readonly #document: PdfDocument;
  readonly #reader: ContentReader;
  /** By object number. Undefined for an object that holds more than one of them. */
  readonly #holders = new Map<number, Holder | undefined>();
  /** The numbers of the objects that something draws, or may draw. */
  readonly #used = new Set<number>();

  /** @throws {ServiceError} `input_too_large` when reading all content would not end */
  constructor(document: PdfDocument, pages: readonly Page[]) {
    this.#document = document;
    this.#reader = new ContentReader(document, { undecodable: "undetermined" });
    // Scripts add pages and appearances of these names (ISO 32000-2, Table 32). Nothing is known of what they use.
    const names = document.catalog?.dict("Names");
    if (names?.has("Templates") || names?.has("AP")) return;
    for (const page of pages) this.#takePage(page);
    this.#use(resourcesIn(document.catalog?.dict("AcroForm")?.dict("DR")));
  }

  /** Returns an indirect object without the unused resources that it holds. */
  readonly prepare: NonNullable<DocumentChanges["prepare"]> = (object, num) => {
    const holder = this.#holders.get(num);
    if (holder === undefined || !(object instanceof PdfDict)) return object;
    if (holder === "entries") return this.#withoutUnused(object);
    if (holder === "resources") return this.#pruned(object);
    const own = object.get("Resources");
    return own instanceof PdfDict ? withChanges(object, [["Resources", this.#pruned(own)]]) : object;
  };

  #takePage(page: Page): void {
    const { dict, ref } = page;
    const appearances = appearancesOn(dict);
    this.#use(appearances);
    const listed = pageEntry(page, "Resources");
    const resources = dictOf(listed);
    if (!resources) return;
    if (listed instanceof PdfRef) this.#addHolder(listed.num, "resources");
    else if (dict.value("Resources") !== null && ref) this.#addHolder(ref.num, "page");
    const names = this.#namesIn(resources, dict.get("Contents") ?? null, appearances);
    for (const kind of LARGE_KINDS) {
      const entries = resources.get(kind);
      if (entries instanceof PdfRef) this.#addHolder(entries.num, "entries");
    }
    // Some readers look up the fonts of text that users fill in here.
    if (dict.array("Annots").some(hasText)) this.#use([...(resources.dict("Font")?.values() ?? [])]);
    if (!names) this.#useAll(resources);
    // Many pages may share a large dictionary, so loop over the names that the content uses.
    else for (const kind of DRAWING_KINDS) this.#useNamed(resources.dict(kind), names.get(kind));
  }

  #useAll(resources: PdfDict): void {
    const listed = resourcesIn(resources);
    // Many pages may share a large dictionary.
    this.#document.budget.charge("entry", listed.length);
    this.#use(listed);
  }

  #useNamed(entries: PdfDict | undefined, names: ReadonlySet<string> | undefined): void {
    for (const name of names ?? []) this.#use([entries?.get(name) ?? null]);
  }

  #addHolder(num: number, holder: Holder): void {
    const known = this.#holders.has(num) ? this.#holders.get(num) : holder;
    this.#holders.set(num, known === holder ? holder : undefined);
  }

  /** Returns the names in use; undefined when that cannot be known. */
  #namesIn(resources: PdfDict, content: PdfObject, appearances: readonly PdfObject[]): UsedNames | undefined {
    try {
      return this.#reader.namesInUse(resources, [content], appearances);
    } catch (error) {
      // A limit of the whole document ends the work that follows, too.
      const isUnknown =
        error instanceof ServiceError && ["damaged_file", "input_too_large"].includes(error.code);
      if (isUnknown) return undefined;
      throw error;
    }
  }

  /** Counts objects as used, and all resources that they list: forms, patterns, fonts of Type 3, soft masks. */
  #use(objects: readonly PdfObject[]): void {
    const waiting = [...objects];
    for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) {
      const num = objectNumber(object);
      if (num !== undefined && this.#used.has(num)) continue;
      if (num !== undefined) this.#used.add(num);
      const dict = dictOf(object);
      const led = dict ? [...resourcesIn(dict.dict("Resources")), ...ledToBy(dict)] : [];
      // Many forms may share a large dictionary.
      this.#document.budget.charge("entry", led.length);
      for (const one of led) waiting.push(one);
    }
  }

  #pruned(resources: PdfDict): PdfDict {
    const changes = LARGE_KINDS.flatMap((kind) => {
      const entries = resources.get(kind);
      return entries instanceof PdfDict ? [[kind, this.#withoutUnused(entries)] as const] : [];
    });
    return withChanges(resources, changes);
  }

  #withoutUnused(entries: PdfDict): PdfDict {
    const kept = [...entries.entries()].filter(
      ([, value]) => !(value instanceof PdfRef) || this.#used.has(value.num),
    );
    return kept.length === entries.size ? entries : PdfDict.from(kept);
  }
}

/** Returns the objects that resources list and that may draw, and graphics states. */
function resourcesIn(resources: PdfDict | undefined): readonly PdfObject[] {
  return DRAWING_KINDS.flatMap((kind) => [...(resources?.dict(kind)?.values() ?? [])]);
}

/** Returns the font of a graphics state and the form of its soft mask (Table 57); the graphics state of a pattern (Table 75). */
function ledToBy(dict: PdfDict): readonly PdfObject[] {
  const led = [dict.array("Font")[0], dict.dict("SMask")?.get("G"), dict.get("ExtGState")];
  return led.filter((one) => one !== undefined);
}
