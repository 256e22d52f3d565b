import { END, Keyword, Lexer } from "../../syntax/lexer.ts";
import { numberOf, PdfName, type PdfString } from "../../syntax/objects.ts";

/** What a default appearance sets (ISO 32000-2, 12.7.4.3). */
export interface TextStyle {
  /** The name of the font in the default resources; undefined when none is selected. */
  readonly font: string | undefined;
  /** The size of the font, in points. 0 if the reader chooses it. */
  readonly size: number;
  /** The operators that set all else: colors, and the space between letters. */
  readonly operators: readonly string[];
}

/** The operators of colors and of the text state (8.6.8 and 9.3), and how many numbers they have. */
const OPERANDS = new Map(
  Object.entries({ g: 1, G: 1, rg: 3, RG: 3, k: 4, K: 4, Tc: 1, Tw: 1, Tz: 1, TL: 1, Tr: 1, Ts: 1 }),
);
/** The operators that set a color, by the number of its components. */
export const FILL = ["", "g", "", "rg", "k"];
export const STROKE = ["", "G", "", "RG", "K"];
/** The components of the color spaces that need no resources (8.6.4). */
const DEVICE_SPACES = new Map(Object.entries({ DeviceGray: 1, DeviceRGB: 3, DeviceCMYK: 4 }));
/** The operators that set a color in a color space, and the operator that selects this space. */
const SELECTED_BY = new Map(Object.entries({ sc: "cs", scn: "cs", SC: "CS", SCN: "CS" }));
/** Longer default appearances are damage. Many fields may inherit one. */
const LONGEST = 4096;
/** Larger numbers are damage. Content cannot have an exponent, which begins at 10²¹. */
const LARGEST = 1e9;

/** Rounds a number of content, which has no exponents. */
export const rounded = (value: number) => Number(value.toFixed(3));

/**
 * Reads a default appearance. Operators that do more than to set the style of text, and damaged ones, do not count: they would
 * change what is drawn around the text.
 */
export function textStyleOf(defaultAppearance: PdfString | undefined): TextStyle {
  const bytes = defaultAppearance?.bytes ?? new Uint8Array();
  const lexer = new Lexer(bytes.length > LONGEST ? new Uint8Array() : bytes);
  const operators: string[] = [];
  let [font, size, name]: [string | undefined, number, string | undefined] = [undefined, 0, undefined];
  let numbers: number[] = [];
  /** The components of the selected color spaces; none in a space that needs resources. */
  const components = new Map([
    ["cs", 1],
    ["CS", 1],
  ]);
  for (let token = lexer.next(); token !== END; token = lexer.next()) {
    if (token instanceof PdfName) name = token.value;
    else if (!(token instanceof Keyword)) numbers.push(numberOf(token) ?? Number.NaN);
    else {
      const isSound = numbers.every((number) => Math.abs(number) < LARGEST);
      const [first = 0] = numbers;
      if (token.text === "Tf" && name !== undefined && numbers.length === 1 && isSound)
        [font, size] = [name, first];
      else if (components.has(token.text)) components.set(token.text, DEVICE_SPACES.get(name ?? "") ?? 0);
      else {
        const operator = deviceOperator(token.text, numbers.length, components);
        if (OPERANDS.get(operator) === numbers.length && isSound)
          operators.push([...numbers.map(rounded), operator].join(" "));
      }
      [numbers, name] = [[], undefined];
    }
  }
  return { font, size: Math.max(size, 0), operators };
}

/**
 * Returns the operator that sets a color in a device space, for one that sets it in the selected space; any other operator as it
 * is.
 */
function deviceOperator(operator: string, operands: number, components: ReadonlyMap<string, number>): string {
  const selecting = SELECTED_BY.get(operator);
  if (selecting === undefined || components.get(selecting) !== operands) return operator;
  return (selecting === "cs" ? FILL : STROKE)[operands] ?? operator;
}
