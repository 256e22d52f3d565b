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
  let numbers: number[] = [];
  let name: string | undefined;
  for (let token = lexer.next(); token !== END; token = lexer.next()) {
    if (typeof token === "number" || token instanceof PdfReal) {
      if (numbers.length === OPERANDS) numbers.shift();
      numbers.push(numberOf(token) ?? 0);
      continue;
    }
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
      const [a, b, c, d] = numbers;
      if (
        numbers.length < OPERANDS ||
        a === undefined ||
        b === undefined ||
        c === undefined ||
        d === undefined
      )
        return undefined;
      current = times([a, b, c, d], current);
    } else if (token.text === "ID") {
      const end = endOfInlineImage(content, lexer.at);
      if (end === undefined) return undefined;
      lexer.at = end;
    }
    numbers = [];
    name = undefined;
  }
  return [...found.values()];
}

function isBracket(text: string): boolean {
  return text === "[" || text === "]" || text === "<<" || text === ">>";
}

/** How many bytes after an inline image must be text: otherwise it is not known whether its end is part of its data. */
const TEXT_AFTER = 16;

/**
 * Returns the offset after the `EI` of an inline image (8.9.7): between white space, before text.
 *
 * @returns undefined when there is none, or it is not certain
 */
function endOfInlineImage(content: Uint8Array, from: number): number | undefined {
  for (let at = content.indexOf(0x45, from); at >= 0; at = content.indexOf(0x45, at + 1)) {
    const after = at + 2;
    if (content[at + 1] !== 0x49 || !isSpace(content[at - 1]) || !isSpace(content[after] ?? 0x20)) continue;
    return content.subarray(after, after + TEXT_AFTER).every(isText) ? after : undefined;
  }
  return undefined;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d) || byte === 0;
}

function isText(byte: number): boolean {
  return isSpace(byte) || (byte >= 0x20 && byte < 0x7f);
}
