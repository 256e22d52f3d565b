import type { PdfDocument } from "../file/document.ts";
import { latin1, latin1Bytes } from "../syntax/characters.ts";
import { integerOf, PdfDict, PdfName, type PdfObject, PdfString } from "../syntax/objects.ts";
import { decodeText, encodeText } from "../syntax/text-string.ts";
import { type Change, NO_CHANGES } from "./changes.ts";
import { type OutputNames, STRUCTURE_KEY_LIMIT } from "./output-names.ts";

/** Attributes whose texts are identifiers of structure elements. */
export const IDENTIFIERS = ["Headers", "ContinuedFrom"];
/** The entries that name fields, by the type of action (ISO 32000-2, Tables 213, 239 and 241). */
const FIELD_NAMES: ReadonlyMap<string, string> = new Map([
  ["Hide", "T"],
  ["SubmitForm", "Fields"],
  ["ResetForm", "Fields"],
]);
/** Inheritable entries of the form (ISO 32000-2, Table 224), and their defaults. */
const FIELD_DEFAULTS = [
  ["DA", undefined],
  ["Q", 0],
] as const;
/** A name in a default appearance. */
const NAME = /\/([^\s()<>[\]{}/%]+)/g;

/**
 * Gives copied dictionaries the names that no earlier document of the output has taken, so that links, fields and tags
 * still lead to what they led to.
 */
export class Renaming {
  readonly #document: PdfDocument;
  readonly #form: PdfDict | undefined;
  readonly #names: OutputNames;
  /** The fonts of the form with another name in the output. Computed on first use. */
  #fonts: ReadonlyMap<string, string> | undefined;

  /** @param form the form of the document */
  constructor(document: PdfDocument, form: PdfDict | undefined, names: OutputNames) {
    this.#document = document;
    this.#form = form;
    this.#names = names;
  }

  /** Returns the new structure parent keys of a page, an annotation or a form (ISO 32000-2, 14.7.5.4). */
  structureKeys(dict: PdfDict): readonly Change[] {
    return this.#changes(dict, ["StructParents", "StructParent"], (value) => {
      const key = integerOf(this.#document.resolve(value));
      if (key === undefined) return value;
      return key >= 0 && key < STRUCTURE_KEY_LIMIT ? this.#names.nextStructureKey + key : undefined;
    });
  }

  /** Returns the new default appearance of a field, an annotation or a form. */
  defaultAppearance(dict: PdfDict): readonly Change[] {
    return this.#changes(dict, ["DA"], (value) => {
      const appearance = this.#document.resolve(value);
      return appearance instanceof PdfString ? this.#withFontsRenamed(appearance) : value;
    });
  }

  /** Returns the new identifiers of structure elements in attributes. */
  identifiers(attributes: PdfDict): readonly Change[] {
    return this.#changes(attributes, IDENTIFIERS, (value) => this.#elementNames(value));
  }

  /** Returns the new names of the fields that an action names. */
  fieldsOfAction(action: PdfDict, type: string): readonly Change[] {
    const key = FIELD_NAMES.get(type);
    return key === undefined ? NO_CHANGES : this.#changes(action, [key], (value) => this.#fieldNames(value));
  }

  /**
   * Returns the whole address of a link that is relative to the base of its document (ISO 32000-2, 12.6.4.8): a merged
   * document has no base.
   */
  address(action: PdfDict): readonly Change[] {
    if (!this.#names.isMerge) return NO_CHANGES;
    const base = this.#document.catalog?.dict("URI")?.string("Base");
    const address = action.string("URI");
    if (!base || !address) return NO_CHANGES;
    this.#document.budget.charge("byte", base.bytes.length + address.bytes.length);
    const utf8 = new TextDecoder();
    const [from, to] = [utf8.decode(base.bytes), utf8.decode(address.bytes)];
    if (URL.canParse(to) || !URL.canParse(to, from)) return NO_CHANGES;
    return [["URI", new PdfString(latin1Bytes(new URL(to, from).href))]];
  }

  #changes(
    dict: PdfDict,
    keys: readonly string[],
    change: (value: PdfObject) => PdfObject | undefined,
  ): readonly Change[] {
    if (!this.#names.hasEarlierDocuments) return NO_CHANGES;
    return keys.flatMap((key): Change[] => {
      const value = dict.get(key);
      return value === undefined ? [] : [[key, change(value)]];
    });
  }

  /** Returns a destination with its name in the output. A merged document has all names in its name tree, as strings. */
  destination(destination: PdfObject): PdfObject {
    if (!this.#names.isMerge) return destination;
    const found = this.#document.resolve(destination);
    const name = found instanceof PdfName ? new PdfString(latin1Bytes(found.value)) : found;
    return name instanceof PdfString ? this.#names.renamed("destination", name) : destination;
  }

  /** Returns a field with its name in the output, and with what it inherits from the form of its own document. */
  field(field: PdfDict): PdfDict {
    if (field.has("Parent")) return field;
    const title = this.#document.resolve(field.get("T"));
    const renamed = title instanceof PdfString ? this.#fieldName(title) : title;
    if (!this.#names.hasEarlierDocuments) return field;
    const copy = field.clone();
    if (renamed !== null) copy.set("T", renamed);
    for (const [key, otherwise] of FIELD_DEFAULTS) {
      const inherited = this.#form?.get(key) ?? otherwise;
      if (inherited !== undefined && !copy.has(key)) copy.set(key, inherited);
    }
    return copy;
  }

  /** Returns the fonts of default resources by their names in the output. */
  fonts(fonts: PdfDict): PdfDict {
    this.#document.budget.charge("keptEntry", fonts.size);
    return PdfDict.from([...fonts.entries()].map(([name, font]) => [this.#fontName(name, font), font]));
  }

  #elementNames(object: PdfObject): PdfObject {
    const found = this.#document.resolve(object);
    if (!Array.isArray(found)) return this.#names.renamed("element", found);
    this.#document.budget.charge("keptEntry", found.length);
    return found.map((name) => this.#names.renamed("element", this.#document.resolve(name)));
  }

  /** Renames fields in an action. It names them by strings or refers to them. */
  #fieldNames(object: PdfObject): PdfObject {
    const found = this.#document.resolve(object);
    if (found instanceof PdfString) return this.#fieldName(found);
    if (!Array.isArray(found)) return object;
    this.#document.budget.charge("keptEntry", found.length);
    return found.map((item) => (item instanceof PdfString ? this.#fieldName(item) : item));
  }

  /** Renames a field, given by its partial or its fully qualified name (ISO 32000-2, 12.7.4.2). */
  #fieldName(name: PdfString): PdfString {
    const text = decodeText(name);
    const [top = "", ...below] = text.split(".");
    const renamed = this.#names.of("field", top);
    return renamed === top ? name : encodeText([renamed, ...below].join("."));
  }

  #withFontsRenamed(appearance: PdfString): PdfString {
    this.#fonts ??= this.#renamedFonts();
    if (this.#fonts.size === 0) return appearance;
    this.#document.budget.charge("byte", appearance.bytes.length);
    const text = latin1(appearance.bytes).replace(NAME, (whole, name) => {
      const renamed = this.#fonts?.get(name);
      return renamed === undefined ? whole : `/${renamed}`;
    });
    return new PdfString(latin1Bytes(text));
  }

  #renamedFonts(): ReadonlyMap<string, string> {
    const resources = this.#document.dict(this.#form?.get("DR"));
    const fonts = this.#document.dict(resources?.get("Font"));
    const renamed = [...(fonts?.entries() ?? [])].map(
      ([name, font]) => [name, this.#fontName(name, font)] as const,
    );
    return new Map(renamed.filter(([name, newName]) => name !== newName));
  }

  #fontName(name: string, font: PdfObject): string {
    return this.#names.of("font", name, meaningOf(this.#document, font));
  }
}

/** Describes a font that is not embedded, so that documents can share it. Returns undefined for any other font. */
function meaningOf(document: PdfDocument, object: PdfObject): string | undefined {
  const font = document.dict(object);
  const [type, base] = [document.resolve(font?.get("Subtype")), document.resolve(font?.get("BaseFont"))];
  if (!font || font.has("FontDescriptor") || !(type instanceof PdfName && base instanceof PdfName))
    return undefined;
  const encoding = document.resolve(font.get("Encoding"));
  const dict = document.dict(encoding);
  const parts = dict ? [dict.get("BaseEncoding"), ...document.array(dict.get("Differences"))] : [encoding];
  const texts = parts.map((part) => (part instanceof PdfName ? part.value : String(part ?? "")));
  return [type.value, base.value, ...texts].join(" ");
}
