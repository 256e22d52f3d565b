import { CHARACTER_CLASS, REGULAR, WHITE_SPACE } from "../syntax/characters.ts";
import {
  ARRAY_CLOSE,
  ARRAY_OPEN,
  DICT_CLOSE,
  DICT_OPEN,
  END,
  Keyword,
  Lexer,
  type Token,
} from "../syntax/lexer.ts";

/** An operation of content (ISO 32000-2, 7.8.2): its operands and its operator. An inline image is one operation, `BI`. */
export interface Operation {
  readonly operator: string;
  /** The operands that are not in an array or a dictionary. */
  readonly operands: readonly Token[];
  /** Where its bytes begin and end. */
  readonly start: number;
  readonly end: number;
}

/** The most operands of an operation that are held. Real ones have at most 33. */
const MOST_OPERANDS = 64;
/** The bytes after an inline image that must look like content. */
const LOOKED_AT = 24;

/** Generates the operations of decoded content, in order. The bytes after the last one are operands without an operator. */
export function* operationsIn(content: Uint8Array): Generator<Operation> {
  const lexer = new Lexer(content);
  let start = -1;
  let depth = 0;
  let operands: Token[] = [];
  for (let token = lexer.next(); token !== END; token = lexer.next()) {
    if (start < 0) start = lexer.start;
    if (token === DICT_OPEN || token === ARRAY_OPEN) depth++;
    else if (token === DICT_CLOSE || token === ARRAY_CLOSE) depth = Math.max(depth - 1, 0);
    else if (!(token instanceof Keyword)) {
      if (depth === 0 && operands.length < MOST_OPERANDS) operands.push(token);
    } else {
      if (token.text === "ID") lexer.at = afterInlineImage(content, lexer.at);
      // The entries of an inline image belong to it.
      if (token.text === "BI") continue;
      const operator = token.text === "ID" ? "BI" : withoutNumber(token.text);
      yield { operator, operands, start, end: lexer.at };
      start = -1;
      depth = 0;
      operands = [];
    }
  }
}

/** A number that an operator follows without white space, as in `12Tf`. Most readers take it as an operand. */
const LEADING_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?=[A-Za-z'"])/;

function withoutNumber(keyword: string): string {
  const first = keyword.charCodeAt(0);
  return first >= 0x2b && first <= 0x39 ? keyword.replace(LEADING_NUMBER, "") : keyword;
}

/**
 * Returns the offset after the `EI` of an inline image (8.9.7). Its data may hold these letters, so content must follow them.
 *
 * @param from the offset after `ID`
 */
function afterInlineImage(content: Uint8Array, from: number): number {
  for (let at = content.indexOf(0x45, from); at >= 0; at = content.indexOf(0x45, at + 1)) {
    const isWord =
      content[at + 1] === 0x49 &&
      CHARACTER_CLASS[content[at - 1] ?? 0] === WHITE_SPACE &&
      CHARACTER_CLASS[content[at + 2] ?? 0] !== REGULAR;
    if (isWord && looksLikeContent(content.subarray(at + 2, at + 2 + LOOKED_AT))) return at + 2;
  }
  return content.length;
}

function looksLikeContent(bytes: Uint8Array): boolean {
  return bytes.every(
    (byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09,
  );
}

/** How the graphics states of content nest. */
export interface StateBalance {
  /** How many more states are restored than were saved before. */
  readonly missing: number;
  /** How many states are left when the content ends, if `missing` states are saved before it. */
  readonly left: number;
}

/** Returns how many states must be saved before content, and restored after it, so that it leaves no trace. */
export function stateBalance(content: Uint8Array): StateBalance {
  let depth = 0;
  let lowest = 0;
  for (const { operator } of operationsIn(content)) {
    if (operator === "q") depth++;
    else if (operator === "Q") depth--;
    lowest = Math.min(lowest, depth);
  }
  return { missing: 0 - lowest, left: depth - lowest };
}
