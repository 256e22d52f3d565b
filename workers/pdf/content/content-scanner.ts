import { type ErrorDetails, ServiceError } from "../../../src/shared/errors.ts";
import type { LimitName } from "../../call-budget.ts";
import { concatBytes, joinBytes } from "../../io/concat-bytes.ts";
import { CHARACTER_CLASS, HEX_VALUE, REGULAR, WHITE_SPACE } from "../syntax/characters.ts";
import { END, Keyword, Lexer, type Token } from "../syntax/lexer.ts";
import { PdfName, PdfString } from "../syntax/objects.ts";
import { CodeSet, ContentUse, RESOURCE_KINDS, type ResourceKind } from "./content-use.ts";

const KIND_OF_OPERATOR = new Map<string, ResourceKind>([
  ["Do", "XObject"],
  ["Tf", "Font"],
  ["gs", "ExtGState"],
  ["cs", "ColorSpace"],
  ["CS", "ColorSpace"],
  ["scn", "Pattern"],
  ["SCN", "Pattern"],
  ["sh", "Shading"],
  ["BDC", "Properties"],
  ["DP", "Properties"],
]);
/** Operators whose name operands are not names of resources. */
const OTHER_NAMES = new Set(["BMC", "MP", "ri"]);
/** The longest token, in bytes. Content with a longer token was most likely misread. */
const TOKEN_LIMIT = 1 << 20;
/**
 * The least length of a window, in bytes. With small chunks, a long token would be read again with each
 * chunk.
 */
const WINDOW = 256 * 1024;
/** The most names of one content, and the most characters in them. They are held in memory. */
const NAMES_LIMIT = 500_000;
const CHARACTERS_LIMIT = 32 * 1024 * 1024;
/** The most nested graphics states. Content with more of them counts as misread. */
const STATES_LIMIT = 100_000;

/**
 * Returns the resources that content names (ISO 32000-2, 7.8.2) and the character codes that it shows in each
 * font.
 *
 * Inline images and brackets that do not match make operators unreliable. In such content, every name in the
 * bytes counts for every kind of resource, and every byte that may be in a string counts for every font. This
 * result covers all that the content draws, because content cannot draw a resource that it does not name.
 *
 * @param open returns the content's bytes in chunks; each call starts at the beginning
 * @throws {ServiceError} `input_too_large` when there are more names than memory should hold, `damaged_file`
 *   when a name is longer than any valid one
 */
export function contentUse(open: () => Iterable<Uint8Array>): ContentUse {
  const scan = new OperatorScan();
  const isReliable = eachToken(open(), (token) => scan.take(token));
  return isReliable ? scan.use : conservativeUse(open());
}

/** Generates windows of at least {@link WINDOW} bytes. Only the last window may be shorter. */
function* windowsOf(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for (const chunk of chunks) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < WINDOW) continue;
    yield joinBytes(waiting);
    waiting = [];
    length = 0;
  }
  if (length > 0) yield joinBytes(waiting);
}

/**
 * Passes all tokens to `take`, including tokens that continue in the next chunk.
 *
 * @returns false when `take` returns false, or at a token that is too long
 */
function eachToken(chunks: Iterable<Uint8Array>, take: (token: Token) => boolean): boolean {
  let rest = new Uint8Array();
  for (const window of windowsOf(chunks)) {
    const bytes = rest.length > 0 ? concatBytes([rest, window]) : window;
    const lexer = new Lexer(bytes);
    for (;;) {
      lexer.at = afterNumbers(bytes, lexer.at);
      const from = lexer.at;
      const token = lexer.next();
      // The token ends at the end of the window. It may continue in the next one.
      if (lexer.at >= bytes.length) {
        rest = token === END ? unfinishedComment(bytes.subarray(from)) : bytes.slice(lexer.start);
        break;
      }
      if (lexer.at - lexer.start > TOKEN_LIMIT || !take(token)) return false;
    }
    if (rest.length > TOKEN_LIMIT) return false;
  }
  const last = new Lexer(rest);
  for (let token = last.next(); token !== END; token = last.next()) if (!take(token)) return false;
  return true;
}

/**
 * Returns the position of the next token that is not a number. Most tokens of long content are numbers, and
 * the lexer takes ten times as long to read them.
 */
export function afterNumbers(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    while (CHARACTER_CLASS[bytes[at] ?? 0x25] === WHITE_SPACE) at++;
    const start = at;
    while (isOfNumber(bytes[at])) at++;
    if (at === start) return at;
    // The token may be a word that begins like a number.
    const next = bytes[at];
    if (next === undefined || CHARACTER_CLASS[next] === REGULAR) return start;
  }
}

/** Returns whether a byte is a digit, a sign or a decimal point. */
function isOfNumber(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x2b && byte <= 0x39 && byte !== 0x2c && byte !== 0x2f;
}

/**
 * Returns a percent sign when white space and comments end in an open comment, else no bytes. The next bytes
 * may continue the comment.
 */
function unfinishedComment(space: Uint8Array): Uint8Array<ArrayBuffer> {
  const lineStart = Math.max(space.lastIndexOf(0x0a), space.lastIndexOf(0x0d)) + 1;
  return space.indexOf(0x25, lineStart) >= 0 ? Uint8Array.of(0x25) : new Uint8Array();
}

/** The font in which text is shown. */
interface FontState {
  /** The operands of the `Tf` that selected the font; undefined before the first `Tf`. */
  readonly names: readonly string[] | undefined;
  /** Whether a later `gs` may have selected another font. */
  readonly maySetByState: boolean;
}

/** Collects the resources that the operators of content use. */
class OperatorScan {
  readonly use = new ContentUse();
  #operands: string[] = [];
  readonly #shown = new CodeSet();
  #hasText = false;
  #font: FontState = { names: undefined, maySetByState: false };
  readonly #fonts: FontState[] = [];
  readonly #limit = new NamesLimit();

  /** Takes the next token. Returns false when the token shows that the content was misread. */
  take(token: Token): boolean {
    if (typeof token === "number") return true;
    if (token instanceof PdfName) return this.#operands.push(token.value) <= NAMES_LIMIT;
    if (token instanceof PdfString) {
      this.#hasText = true;
      for (const byte of token.bytes) this.#shown.add(byte);
      return true;
    }
    if (!(token instanceof Keyword)) return true;
    switch (token.text) {
      case "<<":
      case ">>":
      case "[":
      case "]":
        return true;
      case ")":
      case ">":
      case "ID":
        return false;
    }
    if (!this.#operate(operatorOf(token.text))) return false;
    if (this.#operands.length > 0) this.#operands = [];
    if (this.#hasText) this.#shown.clear();
    this.#hasText = false;
    return true;
  }

  #operate(operator: string): boolean {
    switch (operator) {
      case "Tj":
      case "TJ":
      case "'":
      case '"':
        if (this.#hasText) this.#show();
        break;
      case "q":
        return this.#fonts.push(this.#font) <= STATES_LIMIT;
      case "Q":
        this.#font = this.#fonts.pop() ?? this.#font;
        break;
      case "Tf":
        if (this.#operands.length > 0) this.#font = { names: this.#operands, maySetByState: false };
        break;
      case "gs":
        if (!this.#font.maySetByState) this.#font = { ...this.#font, maySetByState: true };
        break;
    }
    if (this.#operands.length > 0 && !OTHER_NAMES.has(operator)) {
      const kind = KIND_OF_OPERATOR.get(operator);
      // An operand of an unknown operator may name a resource of any kind.
      for (const target of kind ? [kind] : RESOURCE_KINDS) {
        for (const name of this.#operands) if (this.use.addName(target, name)) this.#limit.count(name);
      }
    }
    return true;
  }

  #show(): void {
    const { names, maySetByState } = this.#font;
    if (names === undefined) this.use.addInherited(this.#shown);
    for (const name of names ?? []) this.use.addCodes(name, this.#shown);
    if (maySetByState) this.use.addState(this.#shown);
  }
}

/** A number that an operator follows without white space, as in `12Tf`. Most readers take it as an operand. */
const LEADING_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?=[A-Za-z'"])/;

function operatorOf(keyword: string): string {
  return isOfNumber(keyword.charCodeAt(0)) ? keyword.replace(LEADING_NUMBER, "") : keyword;
}

/** Limits the names that are held in memory. */
class NamesLimit {
  #names = 0;
  #characters = 0;

  count(name: string): void {
    this.#names++;
    this.#characters += name.length;
    if (this.#names > NAMES_LIMIT || this.#characters > CHARACTERS_LIMIT) {
      throw undeterminedUse("input_too_large", `uses more than ${NAMES_LIMIT} names`, {
        limit: "content_names" satisfies LimitName,
        largest_count: NAMES_LIMIT,
      });
    }
  }
}

/** Returns the error for content whose use of resources cannot be determined. */
export function undeterminedUse(
  code: "input_too_large" | "damaged_file",
  why: string,
  details: ErrorDetails = {},
): ServiceError {
  return new ServiceError(
    code,
    `Its content ${why}, so Stayput cannot tell which parts of the file belong to it. Leave the page out, or ask for another copy.`,
    details,
  );
}

/**
 * Returns a use with every name in the bytes for every kind, and every byte that may be in a string for each
 * name.
 */
function conservativeUse(chunks: Iterable<Uint8Array>): ContentUse {
  const names = new Set<string>();
  const limit = new NamesLimit();
  const codes = new StringBytes();
  let rest = new Uint8Array();
  const collect = (bytes: Uint8Array, isLast: boolean) => {
    rest = new Uint8Array();
    for (let at = bytes.indexOf(0x2f); at >= 0; at = bytes.indexOf(0x2f, at + 1)) {
      const next = bytes[at + 1];
      const lexer = new Lexer(bytes, at);
      const token = next === undefined || CHARACTER_CLASS[next] === WHITE_SPACE ? null : lexer.next();
      if (!isLast && (next === undefined || lexer.at >= bytes.length)) {
        rest = bytes.slice(at);
        return;
      }
      if (!(token instanceof PdfName) || CHARACTER_CLASS[next ?? 0] !== REGULAR || names.has(token.value))
        continue;
      names.add(token.value);
      limit.count(token.value);
    }
  };
  for (const window of windowsOf(chunks)) {
    codes.take(window);
    collect(rest.length > 0 ? concatBytes([rest, window]) : window, false);
    if (rest.length > TOKEN_LIMIT) throw undeterminedUse("damaged_file", "has a name of more than 1 MB");
  }
  collect(rest, true);
  return ContentUse.conservative(names, codes.found);
}

/**
 * Collects the bytes that may be in strings, without relying on the bytes around them. A string may begin at
 * any opening bracket. It ends at the closing bracket or at the end of the content. Bytes that are mistaken
 * for a string only add codes.
 */
class StringBytes {
  readonly found = new CodeSet();
  #depth = 0;
  #isEscaped = false;
  #octal = -1;
  /** Whether a hexadecimal string may be open. `#high` is the first digit of a pair, or -1. */
  #isHex = false;
  #high = -1;

  take(bytes: Uint8Array): void {
    for (const byte of bytes) {
      this.#takeHex(byte);
      if (this.#depth > 0) this.#takeLiteral(byte);
      else if (byte === 0x28) this.#depth = 1;
    }
  }

  #takeLiteral(byte: number): void {
    this.found.add(byte);
    const digit = byte >= 0x30 && byte <= 0x37 ? byte - 0x30 : -1;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      this.#octal = digit;
      const control = "nrtbf".indexOf(String.fromCharCode(byte));
      if (digit >= 0) this.found.add(digit);
      else if (control >= 0) this.found.add("\n\r\t\b\f".charCodeAt(control));
      return;
    }
    this.#octal = this.#octal >= 0 && digit >= 0 ? (this.#octal * 8 + digit) & 255 : -1;
    if (this.#octal >= 0) this.found.add(this.#octal);
    if (byte === 0x5c) this.#isEscaped = true;
    else if (byte === 0x28) this.#depth++;
    else if (byte === 0x29) this.#depth--;
    // A line end of any kind is read as a line feed.
    else if (byte === 0x0d) this.found.add(0x0a);
  }

  #takeHex(byte: number): void {
    const value = HEX_VALUE[byte] as number;
    if (byte === 0x3c) {
      this.#isHex = true;
      this.#high = -1;
    } else if (!this.#isHex) return;
    else if (byte === 0x3e) {
      if (this.#high >= 0) this.found.add(this.#high);
      this.#isHex = false;
    } else if (value > 15) return;
    else if (this.#high < 0) this.#high = value << 4;
    else {
      this.found.add(this.#high | value);
      this.#high = -1;
    }
  }
}
