import type { PdfDocument } from "../file/document.ts";
import { PdfDict, type PdfObject, PdfRef, PdfString } from "../syntax/objects.ts";
import { contentUse } from "./content-scanner.ts";
import { CodeSet } from "./content-use.ts";

const FONT_FILES = ["FontFile", "FontFile2", "FontFile3"];

/** Resources that default appearances cannot use: they set text only. */
const NOT_NAMED = ["XObject", "Pattern", "Shading", "Properties"];

/**
 * The default resources (ISO 32000-2, 12.7.3) of a form, which default appearances use. Some writers give resources to
 * single fields.
 */
export class FormResources {
  readonly #document: PdfDocument;
  readonly #form: PdfDict | undefined;
  /** Whether a font is embedded, by object number. */
  readonly #glyphs = new Map<number, boolean>();
  /** The names of fonts, by the objects that use them. */
  readonly #named = new WeakMap<ReadonlySet<number>, ReadonlySet<string>>();

  constructor(document: PdfDocument, form: PdfDict | undefined) {
    this.#document = document;
    this.#form = form;
  }

  /**
   * Reduces resources to what default appearances can use. An embedded font reveals the letters of other pages, so it is
   * kept only if the default appearance of the form or of one of the objects names it.
   *
   * @param objects the object numbers of fields and annotations
   * @param resources the form's, or a field's own
   * @returns undefined when nothing has to be removed
   */
  neededBy(objects: ReadonlySet<number>, resources = this.#form?.get("DR")): PdfDict | undefined {
    const whole = this.#document.dict(resources);
    const fonts = this.#document.dict(whole?.get("Font"));
    // Fields may share the dictionary of fonts.
    this.#document.budget.charge("entry", 2 * (fonts?.size ?? 0));
    const withGlyphs = [...(fonts?.entries() ?? [])].filter(([, font]) => this.#hasGlyphs(font));
    const named = withGlyphs.length > 0 ? this.#namedBy(objects) : new Set<string>();
    const dropped = new Set(withGlyphs.flatMap(([name]) => (named.has(name) ? [] : [name])));
    if (!whole || (dropped.size === 0 && !NOT_NAMED.some((key) => whole.has(key)))) return undefined;
    // Fields may share a dictionary.
    this.#document.budget.charge("keptEntry", whole.size);
    const own = whole.clone();
    for (const key of NOT_NAMED) own.delete(key);
    if (fonts && dropped.size > 0) {
      const kept = [...fonts.entries()].filter(([name]) => !dropped.has(name));
      this.#document.budget.charge("keptEntry", kept.length);
      own.set("Font", PdfDict.from(kept));
    }
    return own;
  }

  #hasGlyphs(font: PdfObject): boolean {
    const known = font instanceof PdfRef ? this.#glyphs.get(font.num) : undefined;
    if (known !== undefined) return known;
    const document = this.#document;
    const dict = document.dict(font);
    const parts = document.array(dict?.get("DescendantFonts")).map((part) => document.dict(part));
    const found = [dict, ...parts].some((part) => {
      const descriptor = document.dict(part?.get("FontDescriptor"));
      return part?.has("CharProcs") || FONT_FILES.some((key) => document.dict(descriptor?.get(key)));
    });
    if (font instanceof PdfRef) this.#glyphs.set(font.num, found);
    return found;
  }

  /** Returns the names of fonts in default appearances. */
  #namedBy(objects: ReadonlySet<number>): ReadonlySet<string> {
    const known = this.#named.get(objects);
    if (known) return known;
    const named = new Set<string>();
    const add = (dict: PdfDict | undefined) => {
      const appearance = this.#document.resolve(dict?.get("DA"));
      if (!(appearance instanceof PdfString)) return;
      this.#document.budget.charge("byte", appearance.bytes.length);
      const names = contentUse(() => [appearance.bytes]).names.get("Font");
      for (const name of names ?? []) named.add(name);
    };
    add(this.#form);
    for (const num of objects) add(this.#document.dict(this.#document.referenceTo(num)));
    this.#named.set(objects, named);
    return named;
  }
}

/**
 * The entries of fields and annotations that readers may draw as text (ISO 32000-2, Tables 166, 192 and 226).
 */
const TEXTS = ["V", "DV", "Opt", "Contents"];
/** An option of a choice field is a text or a pair of texts. */
const OPTION_DEPTH = 2;

/**
 * Returns the bytes of the texts of fields and annotations, which a reader may draw again.
 *
 * @param objects the object numbers of the fields and annotations
 */
export function textOf(document: PdfDocument, objects: Iterable<number>): CodeSet {
  const codes = new CodeSet();
  const add = (object: PdfObject | undefined, depth: number) => {
    const found = document.resolve(object);
    if (found instanceof PdfString) for (const byte of found.bytes) codes.add(byte);
    if (!Array.isArray(found) || depth === OPTION_DEPTH) return;
    document.budget.charge("byte", found.length);
    for (const item of found) add(item, depth + 1);
  };
  for (const num of objects) {
    const dict = document.dict(document.referenceTo(num));
    for (const key of TEXTS) add(dict?.get(key), 0);
    add(document.dict(dict?.get("MK"))?.get("CA"), 0);
  }
  return codes;
}
