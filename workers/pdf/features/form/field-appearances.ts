import type { ContentReader } from "../../content/content-reader.ts";
import type { PdfDocument } from "../../file/document.ts";
import { latin1, latin1Bytes } from "../../syntax/characters.ts";
import {
  integerOf,
  numberOf,
  PdfDict,
  PdfName,
  type PdfObject,
  PdfReal,
  PdfStream,
  PdfString,
} from "../../syntax/objects.ts";
import { decodeText } from "../../syntax/text-string.ts";
import { FieldFont, type FieldSize, fieldTextContent, fontNameIn, rounded } from "./field-text.ts";
import type { FormFields } from "./form-fields.ts";

/** Flags of text fields and choice fields (ISO 32000-2, Tables 231 and 233). */
const MULTILINE = 1 << 12;
const PASSWORD = 1 << 13;
const COMB = 1 << 24;
const COMBO = 1 << 17;

/** Longer sides are damage. */
const LONGEST_SIDE = 15_000;
/** The operators that set a color, by the number of its components. */
const FILL = ["", "g", "", "rg", "k"];
const STROKE = ["", "G", "", "RG", "K"];

/** Returns an entry of a field, which it may inherit. */
type Inherited = (key: string) => PdfObject;

/**
 * Writes the missing appearances of text and choice fields. A form may leave them to readers by its flag
 * `NeedAppearances`. In a merged document, the flag would have readers draw the fields of all documents anew.
 */
export class FieldAppearances {
  readonly #document: PdfDocument;
  readonly #form: FormFields;
  readonly #contents: ContentReader;

  constructor(document: PdfDocument, form: FormFields, contents: ContentReader) {
    this.#document = document;
    this.#form = form;
    this.#contents = contents;
  }

  /**
   * Returns a field with an appearance that shows its text; without an appearance when the text cannot be set here, as
   * readers draw such a field. Returns a field unchanged that has no text, or an appearance with text.
   *
   * @param num the field's object number
   */
  complete(field: PdfDict, num: number): PdfDict {
    if (!field.is("Subtype", "Widget")) return field;
    const inherited: Inherited = (key) => this.#form.inherited(key, field, num);
    const text = this.#textOf(inherited);
    const shown = this.#document.dict(field.get("AP"))?.get("N");
    if (text === "" || (shown !== undefined && this.#contents.showsText(shown))) return field;
    const own = field.clone();
    const appearance = this.#appearanceOf(field, inherited, text);
    if (appearance) own.set("AP", PdfDict.from([["N", appearance]]));
    else own.delete("AP");
    return own;
  }

  /** Returns the text of a text or choice field with one line for each line break; an empty text for other fields. */
  #textOf(inherited: Inherited): string {
    const value = inherited("V");
    const isChoice = isName(inherited("FT"), "Ch");
    if (!(value instanceof PdfString) || !(isChoice || isName(inherited("FT"), "Tx"))) return "";
    const options = isChoice ? this.#document.array(inherited("Opt")) : [];
    const text = this.#decoded(value);
    for (const option of options) {
      const [exported, shown] = this.#document.array(option);
      if (this.#decoded(exported) === text) return this.#decoded(shown);
    }
    return text.replace(/\r\n?/g, "\n");
  }

  #decoded(object: PdfObject | undefined): string {
    const string = this.#document.resolve(object);
    if (!(string instanceof PdfString)) return "";
    // Fields may share values and options.
    this.#document.budget.charge("byte", 1 + string.bytes.length);
    return decodeText(string);
  }

  /** Returns undefined for fields that readers draw in ways of their own, and for text that the font may not have. */
  #appearanceOf(field: PdfDict, inherited: Inherited, text: string): PdfStream | undefined {
    const document = this.#document;
    const flags = integerOf(inherited("Ff")) ?? 0;
    const isChoice = isName(inherited("FT"), "Ch");
    const isSimple = isChoice ? (flags & COMBO) !== 0 : (flags & (PASSWORD | COMB)) === 0;
    const marks = document.dict(field.get("MK")) ?? new PdfDict();
    const style = inherited("DA");
    if (!isSimple || marks.has("R") || !(style instanceof PdfString)) return undefined;

    document.budget.charge("byte", style.bytes.length);
    const defaultAppearance = latin1(style.bytes);
    const name = fontNameIn(defaultAppearance) ?? "";
    const named = document.dict(document.dict(inherited("DR"))?.get("Font"))?.get(name);
    const font = FieldFont.of(document, document.dict(named));
    const [left = 0, bottom = 0, right = 0, top = 0] = this.#numbers(field.get("Rect"));
    const size = { width: rounded(Math.abs(right - left)), height: rounded(Math.abs(top - bottom)) };
    if (named === undefined || !font?.has(text) || !(Math.max(size.width, size.height) < LONGEST_SIDE))
      return undefined;
    const line = rounded(numberOf(document.resolve(document.dict(field.get("BS"))?.get("W"))) ?? 1);
    const padding = 2 * Math.max(line, 1);
    const isMultiline = !isChoice && (flags & MULTILINE) !== 0;
    const stated = integerOf(inherited("Q"));
    const side = stated === 1 || stated === 2 ? stated : 0;
    const shown = fieldTextContent({ text, font, defaultAppearance, padding, ...size, side, isMultiline });
    const dict = PdfDict.from([
      ["Type", PdfName.of("XObject")],
      ["Subtype", PdfName.of("Form")],
      ["BBox", [0, 0, new PdfReal(String(size.width)), new PdfReal(String(size.height))]],
      ["Resources", PdfDict.from([["Font", PdfDict.from([[name, named]])]])],
    ]);
    const bytes = latin1Bytes(`${this.#background(marks, line, size)}${shown}`);
    return new PdfStream(dict, { kind: "memory", bytes });
  }

  /**
   * Returns the content that draws the background and the border of a widget (ISO 32000-2, Table 192).
   *
   * @param line the width of the border
   */
  #background(marks: PdfDict, line: number, { width, height }: FieldSize): string {
    const colored = (key: string, operators: readonly string[]) => {
      const color = this.#numbers(marks.get(key));
      const operator = operators[color.length];
      return operator ? `${color.join(" ")} ${operator} ` : "";
    };
    const [fill, stroke] = [colored("BG", FILL), colored("BC", STROKE)];
    const filled = fill && `${fill}0 0 ${width} ${height} re f `;
    const stroked =
      stroke && `${stroke}${line} w ${line / 2} ${line / 2} ${width - line} ${height - line} re S `;
    return filled || stroked ? `q ${filled}${stroked}Q ` : "";
  }

  #numbers(object: PdfObject | undefined): readonly number[] {
    return this.#document
      .array(object)
      .slice(0, 4)
      .map((item) => rounded(numberOf(this.#document.resolve(item)) ?? 0));
  }
}

const isName = (object: PdfObject, value: string) => object instanceof PdfName && object.value === value;
