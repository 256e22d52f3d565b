import { ServiceError } from "../../../src/errors.ts";
import { joined } from "../../joined.ts";
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
/** Operators whose names are no resources. */
const OTHER_NAMES = new Set(["BMC", "MP", "ri"]);
/** Content with a longer token than this was most likely misread. */
const TOKEN_LIMIT = 1 << 20;
/** Pieces are joined to at least this size, so that a long token is not read again with each of them. */
const WINDOW = 256 * 1024;
/** One content may use this many names, of this many characters in all: they are held in memory. */
const NAMES_LIMIT = 500_000;
const CHARACTERS_LIMIT = 32 * 1024 * 1024;
/** Graphics states may nest this deep before content counts as misread. */
const STATES_LIMIT = 100_000;

/**
 * The resources that content names (ISO 32000-2, 7.8.2) and the character codes that it shows in each font. Where
 * operators cannot be told reliably (inline images, brackets that do not match), every name that stands anywhere in the
 * bytes counts for every kind, and every byte that may be in a string for every font: content cannot draw what it does
 * not name.
 *
 * @param open gives the content's bytes in pieces, from the beginning each time
 * @throws {ServiceError} `input_too_large` when there are more names than memory should hold, `damaged_file` for a name
 *   that none can have
 */
export function contentUse(open: () => Iterable<Uint8Array>): ContentUse {
  const scan = new OperatorScan();
  const isReliable = eachToken(open(), (token) => scan.take(token));
  return isReliable ? scan.use : anyUse(open());
}

/** Pieces joined to larger ones. */
function* windowsOf(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < WINDOW) continue;
    const [only] = waiting;
    yield waiting.length === 1 && only ? only : joined(waiting);
    waiting = [];
    length = 0;
  }
  if (length > 0) yield joined(waiting);
}

/**
 * Shows all tokens to `take`, also those that run over the end of a piece.
 *
 * @returns false as soon as `take` does, or at a token that is too long
 */
function eachToken(pieces: Iterable<Uint8Array>, take: (token: Token) => boolean): boolean {
  let rest = new Uint8Array();
  for (const window of windowsOf(pieces)) {
    const bytes = rest.length > 0 ? joined([rest, window]) : window;
    const lexer = new Lexer(bytes);
    for (;;) {
      lexer.at = behindNumbers(bytes, lexer.at);
      const from = lexer.at;
      const token = lexer.next();
      // More bytes might make it another token.
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

/** Where the next token is that is no number: most of a long content is numbers, and reading them takes ten times as long. */
function behindNumbers(bytes: Uint8Array, from: number): number {
  let at = from;
  for (;;) {
    while (CHARACTER_CLASS[bytes[at] ?? 0x25] === WHITE_SPACE) at++;
    const start = at;
    while (isOfNumber(bytes[at])) at++;
    if (at === start) return at;
    // A word may begin like a number.
    const next = bytes[at];
    if (next === undefined || CHARACTER_CLASS[next] === REGULAR) return start;
  }
}

/** Whether a byte is a digit, a sign or a point. */
function isOfNumber(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x2b && byte <= 0x39 && byte !== 0x2c && byte !== 0x2f;
}

/** A comment that more bytes may go on, of white space and comments. */
function unfinishedComment(space: Uint8Array): Uint8Array<ArrayBuffer> {
  const lineStart = Math.max(space.lastIndexOf(0x0a), space.lastIndexOf(0x0d)) + 1;
  return space.indexOf(0x25, lineStart) >= 0 ? Uint8Array.of(0x25) : new Uint8Array();
}

/** The font that text is shown in. */
interface FontState {
  /** The names that selected it; undefined before any has. */
  readonly names: readonly string[] | undefined;
  /** Whether a graphics state came later, which may have selected another. */
  readonly maySetByState: boolean;
}

/** Takes content apart by its operators. */
class OperatorScan {
  readonly use = new ContentUse();
  #operands: string[] = [];
  readonly #shown = new CodeSet();
  #hasText = false;
  #font: FontState = { names: undefined, maySetByState: false };
  readonly #fonts: FontState[] = [];
  readonly #limit = new NamesLimit();

  /** Takes the next token; false when it tells that the content was misread. */
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
    if (!this.#operate(token.text)) return false;
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
      // What an unknown operator names may be anything.
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

/** Bounds the names that are held in memory. */
class NamesLimit {
  #names = 0;
  #characters = 0;

  count(name: string): void {
    this.#names++;
    this.#characters += name.length;
    if (this.#names > NAMES_LIMIT || this.#characters > CHARACTERS_LIMIT) throw tooManyNames();
  }
}

function tooManyNames(): ServiceError {
  return new ServiceError(
    "input_too_large",
    `Its content uses more than ${NAMES_LIMIT} names, so that what is its own cannot be told from what other pages ` +
      "draw. Leave it out by means of `pages`.",
    { largest_count: NAMES_LIMIT },
  );
}

function tooLongName(): ServiceError {
  return new ServiceError(
    "damaged_file",
    "Its content has a name of more than 1 MB, so that what is its own cannot be told from what other pages draw. " +
      "Leave it out by means of `pages`, or ask for another copy.",
  );
}

/** Every name in the bytes for every kind; every byte that may be in a string for each of them. */
function anyUse(pieces: Iterable<Uint8Array>): ContentUse {
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
  for (const window of windowsOf(pieces)) {
    codes.take(window);
    collect(rest.length > 0 ? joined([rest, window]) : window, false);
    if (rest.length > TOKEN_LIMIT) throw tooLongName();
  }
  collect(rest, true);
  return ContentUse.ofAnyKind(names, codes.found);
}

/**
 * Collects the bytes that may be in strings, whatever the bytes around them are: those behind any bracket that may open
 * a string and before the one that closes it, or the end. Bytes that were taken for a string by mistake only add some.
 */
class StringBytes {
  readonly found = new CodeSet();
  #depth = 0;
  #isEscaped = false;
  #octal = -1;
  /** Whether a hexadecimal string may be open, and its first digit of two. */
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
