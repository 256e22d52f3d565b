import { concatBytes } from "../../io/concat-bytes.ts";
import type { PdfDocument } from "../file/document.ts";
import { latin1Bytes } from "../syntax/characters.ts";
import { END, Lexer } from "../syntax/lexer.ts";
import {
  dictOf,
  integerOf,
  PdfDict,
  PdfName,
  type PdfObject,
  PdfString,
  resolved,
} from "../syntax/objects.ts";
import { nameText } from "../syntax/serializer.ts";
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
      const key = integerOf(value);
      if (key === undefined) return value;
      return key >= 0 && key < STRUCTURE_KEY_LIMIT ? this.#names.nextStructureKey + key : undefined;
    });
  }

  /** Returns the new default appearance of a field, an annotation or a form. */
  defaultAppearance(dict: PdfDict): readonly Change[] {
    return this.#changes(dict, ["DA"], (value) =>
      value instanceof PdfString ? this.#withFontsRenamed(value) : value,
    );
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
      const value = dict.value(key);
      const changed = change(value);
      return changed === value ? [] : [[key, changed]];
    });
  }

  /** Returns a destination with its name in the output. A merged document has all names in its name tree, as strings. */
  destination(destination: PdfObject): PdfObject {
    if (!this.#names.isMerge) return destination;
    const found = resolved(destination);
    const name = found instanceof PdfName ? new PdfString(latin1Bytes(found.value)) : found;
    return name instanceof PdfString ? this.#names.renamed("destination", name) : destination;
  }

  /** Returns a field with its name in the output, and with what it inherits from the form of its own document. */
  field(field: PdfDict): PdfDict {
    if (field.has("Parent")) return field;
    const title = field.value("T");
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
    return PdfDict.from([...fonts.entries()].map(([name, font]) => [this.#fontName(name, font), font]));
  }

  #elementNames(names: PdfObject): PdfObject {
    if (!Array.isArray(names)) return this.#names.renamed("element", names);
    return names.map((name) => this.#names.renamed("element", resolved(name)));
  }

  /** Renames fields in an action. It names them by strings or refers to them. */
  #fieldNames(fields: PdfObject): PdfObject {
    if (Array.isArray(fields)) return fields.map((field) => this.#fieldNames(field));
    return fields instanceof PdfString ? this.#fieldName(fields) : fields;
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
    const { bytes } = appearance;
    const lexer = new Lexer(bytes);
    const parts: Uint8Array[] = [];
    let copied = 0;
    for (let token = lexer.next(); token !== END; token = lexer.next()) {
      const renamed = token instanceof PdfName ? this.#fonts.get(token.value) : undefined;
      if (renamed === undefined) continue;
      parts.push(bytes.subarray(copied, lexer.start), latin1Bytes(nameText(renamed)));
      copied = lexer.at;
    }
    return copied === 0 ? appearance : new PdfString(concatBytes([...parts, bytes.subarray(copied)]));
  }

  #renamedFonts(): ReadonlyMap<string, string> {
    const fonts = this.#form?.dict("DR")?.dict("Font");
    const renamed = [...(fonts?.entries() ?? [])].map(
      ([name, font]) => [name, this.#fontName(name, font)] as const,
    );
    return new Map(renamed.filter(([name, newName]) => name !== newName));
  }

  #fontName(name: string, font: PdfObject): string {
    return this.#names.of("font", name, meaningOf(dictOf(font)));
  }
}

/** Describes a font that is not embedded, so that documents can share it. Returns undefined for any other font. */
function meaningOf(font: PdfDict | undefined): string | undefined {
  const [type, base] = [font?.name("Subtype"), font?.name("BaseFont")];
  if (!font || font.has("FontDescriptor") || type === undefined || base === undefined) return undefined;
  const encoding = font.value("Encoding");
  const parts =
    encoding instanceof PdfDict
      ? [encoding.get("BaseEncoding"), ...encoding.array("Differences")]
      : [encoding];
  const texts = parts.map((part) => (part instanceof PdfName ? part.value : String(part ?? "")));
  return [type, base, ...texts].join(" ");
}
