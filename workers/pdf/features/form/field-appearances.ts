import type { ContentReader } from "../../content/content-reader.ts";
import { latin1Bytes } from "../../syntax/characters.ts";
import {
  arrayOf,
  dictOf,
  integerOf,
  nameOf,
  numberOf,
  PdfDict,
  PdfName,
  type PdfObject,
  PdfReal,
  PdfStream,
  PdfString,
  stringOf,
} from "../../syntax/objects.ts";
import { decodeText } from "../../syntax/text-string.ts";
import { FieldFont, type FieldSize, fieldTextContent } from "./field-text.ts";
import type { FormFields } from "./form-fields.ts";
import { FILL, rounded, STROKE, textStyleOf } from "./text-style.ts";

/** Flags of text fields and choice fields (ISO 32000-2, Tables 231 and 233). */
const MULTILINE = 1 << 12;
const PASSWORD = 1 << 13;
const COMB = 1 << 24;
const COMBO = 1 << 17;
/** Flags of buttons (Table 229). */
const RADIO = 1 << 15;
const PUSH_BUTTON = 1 << 16;

/** The font of the marks of check boxes and radio buttons. Every reader has it (9.6.2.2). */
const MARK_FONT = PdfDict.from([
  ["Type", PdfName.of("Font")],
  ["Subtype", PdfName.of("Type1")],
  ["BaseFont", PdfName.of("ZapfDingbats")],
]);
const MARK_FONT_NAME = "ZaDb";
/** The codes of a check mark and of a disc. */
const CHECK = "4";
const DISC = "l";

/** Longer sides are damage. */
const LONGEST_SIDE = 15_000;

/** Returns an entry of a field, which it may inherit. */
type Inherited = (key: string) => PdfObject;

/**
 * Writes the missing appearances of text and choice fields. A form may leave them to readers by its flag
 * `NeedAppearances`. In a merged document, the flag would have readers draw the fields of all documents anew.
 */
export class FieldAppearances {
  readonly #form: FormFields;
  readonly #contents: ContentReader;

  constructor(form: FormFields, contents: ContentReader) {
    this.#form = form;
    this.#contents = contents;
  }

  /**
   * Returns a field with an appearance that shows its text; without an appearance when the text cannot be set here, as
   * readers draw such a field. Returns a field unchanged that has no text, or an appearance with text.
   *
   * @param num the field's object number; undefined for a direct object
   */
  complete(field: PdfDict, num: number | undefined): PdfDict {
    if (!field.is("Subtype", "Widget")) return field;
    const inherited: Inherited = (key) => this.#form.inherited(key, field, num);
    const text = this.#textOf(inherited);
    const shown = field.dict("AP")?.get("N");
    if (text === "" || (shown !== undefined && this.#contents.showsText(shown))) return field;
    const drawn = field.clone();
    const appearance = this.#appearanceOf(field, inherited, text);
    if (appearance) drawn.set("AP", PdfDict.from([["N", appearance]]));
    else drawn.delete("AP");
    return drawn;
  }

  /**
   * Returns an appearance that shows the background and the border of a widget, and the mark of a check box or a radio
   * button that is on; undefined when it has none of them.
   *
   * @param num its object number; undefined for a direct object
   */
  withoutText(widget: PdfDict, num: number | undefined): PdfStream | undefined {
    const size = sizeOf(widget);
    const inherited: Inherited = (key) => this.#form.inherited(key, widget, num);
    const background = this.#background(widget.dict("MK") ?? new PdfDict(), lineWidthOf(widget), size);
    const [mark, resources] = markOf(widget, inherited, size);
    const content = `${background}${mark}`;
    return content === "" ? undefined : appearanceOf(size, content, resources);
  }

  /** Returns the text of a text or choice field with one line for each line break; an empty text for other fields. */
  #textOf(inherited: Inherited): string {
    const value = inherited("V");
    const type = nameOf(inherited("FT"));
    if (!(value instanceof PdfString) || (type !== "Ch" && type !== "Tx")) return "";
    const text = decoded(value);
    for (const option of type === "Ch" ? arrayOf(inherited("Opt")) : []) {
      const [exported, shown] = arrayOf(option);
      if (decoded(exported) === text) return decoded(shown);
    }
    return text.replace(/\r\n?/g, "\n");
  }

  /** Returns undefined for fields that readers draw in ways of their own, and for text that the font may not have. */
  #appearanceOf(field: PdfDict, inherited: Inherited, text: string): PdfStream | undefined {
    const flags = integerOf(inherited("Ff")) ?? 0;
    const isChoice = nameOf(inherited("FT")) === "Ch";
    const isSimple = isChoice ? (flags & COMBO) !== 0 : (flags & (PASSWORD | COMB)) === 0;
    const marks = field.dict("MK") ?? new PdfDict();
    if (!isSimple || marks.has("R")) return undefined;

    const style = textStyleOf(stringOf(inherited("DA")));
    const fontName = style.font ?? "";
    const named = dictOf(inherited("DR"))?.dict("Font")?.get(fontName);
    const font = FieldFont.of(dictOf(named));
    const size = sizeOf(field);
    if (named === undefined || !font?.has(text) || !(Math.max(size.width, size.height) < LONGEST_SIDE))
      return undefined;
    const line = lineWidthOf(field);
    const padding = 2 * Math.max(line, 1);
    const isMultiline = !isChoice && (flags & MULTILINE) !== 0;
    const stated = integerOf(inherited("Q"));
    const side = stated === 1 || stated === 2 ? stated : 0;
    const shown = fieldTextContent({ text, font, fontName, style, padding, ...size, side, isMultiline });
    const fonts = PdfDict.from([["Font", PdfDict.from([[fontName, named]])]]);
    return appearanceOf(size, `${this.#background(marks, line, size)}${shown}`, fonts);
  }

  /**
   * Returns the content that draws the background and the border of a widget (ISO 32000-2, Table 192).
   *
   * @param line the width of the border
   */
  #background(marks: PdfDict, line: number, { width, height }: FieldSize): string {
    const colored = (key: string, operators: readonly string[]) => {
      const color = numbers(marks, key);
      const operator = operators[color.length];
      return operator ? `${color.join(" ")} ${operator} ` : "";
    };
    const [fill, stroke] = [colored("BG", FILL), colored("BC", STROKE)];
    const filled = fill && `${fill}0 0 ${width} ${height} re f `;
    const stroked =
      stroke && `${stroke}${line} w ${line / 2} ${line / 2} ${width - line} ${height - line} re S `;
    return filled || stroked ? `q ${filled}${stroked}Q ` : "";
  }
}

/** Returns the content that draws the mark of a check box or a radio button that is on, and its resources. */
function markOf(
  widget: PdfDict,
  inherited: Inherited,
  size: FieldSize,
): [content: string, resources: PdfDict] {
  const flags = integerOf(inherited("Ff")) ?? 0;
  const hasStates = nameOf(inherited("FT")) === "Btn" && (flags & PUSH_BUTTON) === 0;
  if (!hasStates || (widget.name("AS") ?? "Off") === "Off") return ["", new PdfDict()];
  const caption = decoded(widget.dict("MK")?.value("CA"));
  const usual = (flags & RADIO) === 0 ? CHECK : DISC;
  const text = caption.length === 1 && FieldFont.marks.has(caption) ? caption : usual;
  const stated = textStyleOf(stringOf(inherited("DA")));
  const style = { ...stated, operators: ["0 g", ...stated.operators] };
  const mark = { text, font: FieldFont.marks, fontName: MARK_FONT_NAME, style, padding: lineWidthOf(widget) };
  const fonts = PdfDict.from([["Font", PdfDict.from([[MARK_FONT_NAME, MARK_FONT]])]]);
  return [fieldTextContent({ ...mark, ...size, side: 1, isMultiline: false }), fonts];
}

/** Returns a form of a size (ISO 32000-2, 12.5.5). */
function appearanceOf({ width, height }: FieldSize, content: string, resources = new PdfDict()): PdfStream {
  const dict = PdfDict.from([
    ["Type", PdfName.of("XObject")],
    ["Subtype", PdfName.of("Form")],
    ["BBox", [0, 0, new PdfReal(String(width)), new PdfReal(String(height))]],
    ["Resources", resources],
  ]);
  return new PdfStream(dict, { kind: "memory", bytes: latin1Bytes(content) });
}

function sizeOf(widget: PdfDict): FieldSize {
  const [left = 0, bottom = 0, right = 0, top = 0] = numbers(widget, "Rect");
  return { width: rounded(Math.abs(right - left)), height: rounded(Math.abs(top - bottom)) };
}

const lineWidthOf = (widget: PdfDict) => rounded(widget.dict("BS")?.number("W") ?? 1);

function decoded(object: PdfObject | undefined): string {
  const string = stringOf(object);
  return string ? decodeText(string) : "";
}

function numbers(dict: PdfDict, key: string): readonly number[] {
  const first = dict.array(key).slice(0, 4);
  return first.map((item) => rounded(numberOf(item) ?? 0));
}
