import { ServiceError } from "../../../src/shared/errors.ts";
import { endOfInlineImage } from "../content/inline-image.ts";
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
  /** The operands that are not in an array or a dictionary; of too many, the last {@link MOST_OPERANDS}. */
  readonly operands: readonly Token[];
  /** Where its bytes begin and end. */
  readonly start: number;
  readonly end: number;
}

/** The most operands of an operation that are held. Real ones have at most 33. */
export const MOST_OPERANDS = 64;

/**
 * Generates the operations of decoded content, in order. The bytes after the last one are operands without an operator.
 *
 * @throws {ServiceError} `unsupported_conversion` when it is not clear where an inline image ends
 */
export function* operationsIn(content: Uint8Array): Generator<Operation> {
  const lexer = new Lexer(content);
  let start = -1;
  let depth = 0;
  let operands: Token[] = [];
  let entries = 0;
  const marks = new Map<number, number>();
  for (let token = lexer.next(); token !== END; token = lexer.next()) {
    if (start < 0) start = lexer.start;
    if (token === DICT_OPEN || token === ARRAY_OPEN) depth++;
    else if (token === DICT_CLOSE || token === ARRAY_CLOSE) depth = Math.max(depth - 1, 0);
    else if (!(token instanceof Keyword)) {
      if (depth > 0) continue;
      operands.push(token);
      if (operands.length > MOST_OPERANDS) operands.shift();
    } else {
      // The entries of an inline image belong to it.
      if (token.text === "BI") {
        entries = lexer.at;
        continue;
      }
      if (token.text === "ID") lexer.at = endOfImage(content, entries, lexer.at, marks);
      const operator = token.text === "ID" ? "BI" : withoutNumber(token.text);
      yield { operator, operands, start, end: lexer.at };
      start = -1;
      entries = lexer.at;
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

function endOfImage(content: Uint8Array, entries: number, data: number, marks: Map<number, number>): number {
  const end = endOfInlineImage(content, entries, data, marks);
  if (end === undefined) throw endlessImage();
  return end;
}

function endlessImage(): ServiceError {
  return new ServiceError(
    "unsupported_conversion",
    "It is not clear where a picture in the content of this PDF ends, so nothing can be removed from that content. Print it to a PDF with the program that opens it, then clean that one.",
    { kind: "inline_image" },
  );
}
