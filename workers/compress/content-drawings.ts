import { afterNumbers } from "../pdf/content/content-scanner.ts";
import { endOfInlineImage } from "../pdf/content/inline-image.ts";
import { END, Keyword, Lexer } from "../pdf/syntax/lexer.ts";
import { numberOf, PdfName, PdfReal } from "../pdf/syntax/objects.ts";
import { type Scale, textOf, times, UNSCALED } from "./scale.ts";

/** The operators that draw a resource, and the kind of resource that they name. */
const DRAWING_KINDS = new Map([
  ["Do", "XObject"],
  ["gs", "ExtGState"],
  ["scn", "Pattern"],
  ["SCN", "Pattern"],
] as const);

/** A resource that content draws: an object, the soft mask of a graphics state, or a pattern. */
export interface Drawing {
  readonly kind: "XObject" | "ExtGState" | "Pattern";
  readonly name: string;
  /** From the coordinates of the object to those that the content begins with. */
  readonly scale: Scale;
}

/** The most different drawings of one content. Real content has some thousands at most. */
const MOST_DRAWINGS = 50_000;
/** The most nested graphics states. */
const MOST_STATES = 10_000;
/** The operands of `cm`. */
const OPERANDS = 6;

/**
 * Returns what content draws, and how it is scaled (ISO 32000-2, 8.3.4 and 8.4.2). Equal drawings are one.
 *
 * @returns undefined for content that cannot be followed
 */
export function drawingsOf(content: Uint8Array): readonly Drawing[] | undefined {
  const lexer = new Lexer(content);
  const found = new Map<string, Drawing>();
  const saved: Scale[] = [];
  let current = UNSCALED;
  /** Where the numbers before the next operator begin. */
  let operands = 0;
  let name: string | undefined;
  let entries = 0;
  /** Where the data of inline images ends, as earlier ones have found. */
  const marks = new Map<number, number>();
  for (;;) {
    lexer.at = afterNumbers(content, lexer.at);
    const token = lexer.next();
    if (token === END) break;
    if (typeof token === "number" || token instanceof PdfReal) continue;
    const start = operands;
    operands = lexer.at;
    if (token instanceof PdfName) name = token.value;
    if (!(token instanceof Keyword) || isBracket(token.text)) continue;
    const kind = DRAWING_KINDS.get(token.text as "Do");
    if (kind !== undefined && name !== undefined) {
      // A pattern has its own matrix, from the coordinates that the content begins with (8.7.3.1).
      const scale = kind === "Pattern" ? UNSCALED : current;
      found.set(`${kind} ${name} ${textOf(scale)}`, { kind, name, scale });
      if (found.size > MOST_DRAWINGS) return undefined;
    } else if (token.text === "q") {
      if (saved.push(current) > MOST_STATES) return undefined;
    } else if (token.text === "Q") current = saved.pop() ?? current;
    else if (token.text === "cm") {
      const scale = scaleIn(content.subarray(start, lexer.start));
      if (!scale) return undefined;
      current = times(scale, current);
    } else if (token.text === "BI") entries = lexer.at;
    else if (token.text === "ID") {
      const end = endOfInlineImage(content, entries, lexer.at, marks);
      if (end === undefined) return undefined;
      lexer.at = end;
      operands = end;
    }
    name = undefined;
  }
  return [...found.values()];
}

/** Returns the scale of a matrix, by the operands of `cm`; undefined when there are too few. */
function scaleIn(operands: Uint8Array): Scale | undefined {
  const lexer = new Lexer(operands);
  const numbers: number[] = [];
  for (let token = lexer.next(); token !== END; token = lexer.next()) {
    if (numbers.length === OPERANDS) numbers.shift();
    numbers.push(typeof token === "number" || token instanceof PdfReal ? (numberOf(token) ?? 0) : 0);
  }
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  return numbers.length === OPERANDS ? [a, b, c, d] : undefined;
}

function isBracket(text: string): boolean {
  return text === "[" || text === "]" || text === "<<" || text === ">>";
}
