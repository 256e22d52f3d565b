import type { PdfDocument } from "../file/document.ts";
import { type PdfDict, PdfString } from "../syntax/objects.ts";
import { namesIn } from "./content-names.ts";

const FONT_FILES = ["FontFile", "FontFile2", "FontFile3"];

/** The default resources of a document's form (ISO 32000-2, 12.7.3), which default appearances name. */
export class FormResources {
  readonly #document: PdfDocument;
  readonly #form: PdfDict | undefined;
  /** The names of the fonts whose glyphs are in the file, once it is asked for. */
  #withGlyphs: readonly string[] | undefined;

  constructor(document: PdfDocument, form: PdfDict | undefined) {
    this.#document = document;
    this.#form = form;
  }

  /**
   * What default appearances can name: they set text, and draw nothing else. Of fonts that come with glyphs, which tell
   * what letters another page has, those only that the default appearances of the form and of the objects given name.
   *
   * @param objects fields and annotations, by their numbers
   */
  neededBy(objects: Iterable<number>): PdfDict | undefined {
    const own = this.#document.dict(this.#form?.get("DR"))?.clone();
    if (!own) return undefined;
    for (const key of ["XObject", "Pattern", "Shading", "Properties"]) own.delete(key);
    const fonts = this.#document.dict(own.get("Font"))?.clone();
    if (!fonts) return own;
    this.#withGlyphs ??= [...fonts.entries()].flatMap(([name, font]) =>
      this.#hasGlyphs(this.#document.dict(font)) ? [name] : [],
    );
    if (this.#withGlyphs.length === 0) return own;
    const named = this.#namedBy(objects);
    for (const name of this.#withGlyphs) if (!named.has(name)) fonts.delete(name);
    own.set("Font", fonts);
    return own;
  }

  #hasGlyphs(font: PdfDict | undefined): boolean {
    const document = this.#document;
    const parts = document.array(font?.get("DescendantFonts")).map((part) => document.dict(part));
    return [font, ...parts].some((part) => {
      const descriptor = document.dict(part?.get("FontDescriptor"));
      return part?.has("CharProcs") || FONT_FILES.some((key) => document.dict(descriptor?.get(key)));
    });
  }

  /** The fonts that default appearances name. */
  #namedBy(objects: Iterable<number>): ReadonlySet<string> {
    const named = new Set<string>();
    const add = (dict: PdfDict | undefined) => {
      const appearance = this.#document.resolve(dict?.get("DA"));
      const names = appearance instanceof PdfString ? namesIn(appearance.bytes)?.get("Font") : undefined;
      for (const name of names ?? []) named.add(name);
    };
    add(this.#form);
    for (const num of objects) add(this.#document.dict(this.#document.referenceTo(num)));
    return named;
  }
}
