import type { PdfDocument } from "../file/document.ts";
import { dictOf, PdfDict, type PdfObject, PdfRef, PdfString, resolved } from "../syntax/objects.ts";
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
    const whole = dictOf(resources);
    const fonts = whole?.dict("Font");
    const withGlyphs = [...(fonts?.entries() ?? [])].filter(([, font]) => this.#hasGlyphs(font));
    const named = withGlyphs.length > 0 ? this.fontsNamedBy(objects) : new Set<string>();
    const dropped = new Set(withGlyphs.flatMap(([name]) => (named.has(name) ? [] : [name])));
    if (!whole || (dropped.size === 0 && !NOT_NAMED.some((key) => whole.has(key)))) return undefined;
    const needed = whole.clone();
    for (const key of NOT_NAMED) needed.delete(key);
    if (fonts && dropped.size > 0) {
      const kept = [...fonts.entries()].filter(([name]) => !dropped.has(name));
      needed.set("Font", PdfDict.from(kept));
    }
    return needed;
  }

  #hasGlyphs(font: PdfObject): boolean {
    const known = font instanceof PdfRef ? this.#glyphs.get(font.num) : undefined;
    if (known !== undefined) return known;
    const dict = dictOf(font);
    const descendants = dict?.array("DescendantFonts").map(dictOf) ?? [];
    const found = [dict, ...descendants].some((part) => {
      const descriptor = part?.dict("FontDescriptor");
      return part?.has("CharProcs") || FONT_FILES.some((key) => descriptor?.dict(key));
    });
    if (font instanceof PdfRef) this.#glyphs.set(font.num, found);
    return found;
  }

  /**
   * Returns the names of fonts in the default appearances of the form and of objects.
   *
   * @param objects the object numbers of fields and annotations
   */
  fontsNamedBy(objects: ReadonlySet<number>): ReadonlySet<string> {
    const known = this.#named.get(objects);
    if (known) return known;
    const named = new Set<string>();
    const add = (dict: PdfDict | undefined) => {
      const appearance = dict?.string("DA")?.bytes ?? new Uint8Array();
      for (const name of contentUse(() => [appearance]).names.get("Font") ?? []) named.add(name);
    };
    add(this.#form);
    for (const num of objects) add(dictOf(this.#document.referenceTo(num)));
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
    const found = resolved(object);
    if (found instanceof PdfString) for (const byte of found.bytes) codes.add(byte);
    if (Array.isArray(found) && depth < OPTION_DEPTH) for (const item of found) add(item, depth + 1);
  };
  for (const num of objects) {
    const dict = dictOf(document.referenceTo(num));
    for (const key of TEXTS) add(dict?.value(key), 0);
    add(dict?.dict("MK")?.value("CA"), 0);
  }
  return codes;
}
