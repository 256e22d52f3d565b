import { CHARACTER_CLASS, HEX_VALUE, latin1, REGULAR, WHITE_SPACE } from "./characters.ts";
import { unescapeName, unescapeString } from "./escapes.ts";
import { hashName, PdfName, PdfReal, PdfString } from "./objects.ts";

/** A token that is not an object: `obj`, `R`, `<<`, `]`, `stream`, the end of the bytes. */
export class Keyword {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Begins a dictionary. This keyword and the next four have one instance each, so that `===` compares them. */
export const DICT_OPEN = new Keyword("<<");
/** Ends a dictionary. */
export const DICT_CLOSE = new Keyword(">>");
/** Begins an array. */
export const ARRAY_OPEN = new Keyword("[");
/** Ends an array. */
export const ARRAY_CLOSE = new Keyword("]");
/** The end of the bytes. */
export const END = new Keyword("");

/** One token: an object without parts, or a keyword. */
export type Token = null | boolean | number | PdfReal | PdfName | PdfString | Keyword;

const LF = 0x0a;
const CR = 0x0d;
const REFERENCE = new Keyword("R");
const OBJ = new Keyword("obj");
const ENDOBJ = new Keyword("endobj");
const keywords = new Map(
  ["stream", "endstream", "xref", "trailer", "startxref", "n", "f"].map((text) => [text, new Keyword(text)]),
);
/** The keywords of one or two bytes that were read before, by their bytes. */
const shortKeywords: (Keyword | undefined)[] = [];

/**
 * Splits bytes into tokens (ISO 32000-2, 7.2 and 7.3). Never throws: malformed bytes become the token that most readers
 * see.
 */
export class Lexer {
  readonly bytes: Uint8Array;
  /** The search for the next token begins here. */
  at: number;
  /** The start of the last token. */
  start = 0;
  /** Whether a token touched the end of the bytes. It may continue in bytes that follow. */
  ranOut = false;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Returns the next token, or {@link END}. */
  next(): Token {
    this.skipSpace();
    const { bytes } = this;
    const first = bytes[this.at];
    this.start = this.at;
    if (first === undefined) {
      this.ranOut = true;
      return END;
    }
    switch (first) {
      case 0x2f:
        return this.#name();
      case 0x28:
        return this.#literalString();
      case 0x3c:
        if (bytes[this.at + 1] === 0x3c) {
          this.at += 2;
          return DICT_OPEN;
        }
        return this.#hexString();
      case 0x3e:
        if (bytes[this.at + 1] === 0x3e) {
          this.at += 2;
          return DICT_CLOSE;
        }
        this.at++;
        return new Keyword(">");
      case 0x5b:
        this.at++;
        return ARRAY_OPEN;
      case 0x5d:
        this.at++;
        return ARRAY_CLOSE;
      case 0x29:
      case 0x7b:
      case 0x7d:
        this.at++;
        return new Keyword(String.fromCharCode(first));
    }
    if ((first >= 0x30 && first <= 0x39) || first === 0x2d || first === 0x2e || first === 0x2b) {
      return this.#number(first);
    }
    return this.#word();
  }

  /** Moves past white space and comments. */
  skipSpace(): void {
    const { bytes } = this;
    const end = bytes.length;
    let at = this.at;
    while (at < end) {
      const byte = bytes[at] as number;
      if (byte === 0x25) {
        at++;
        while (at < end && bytes[at] !== LF && bytes[at] !== CR) at++;
      } else if (CHARACTER_CLASS[byte] === WHITE_SPACE) {
        at++;
      } else {
        break;
      }
    }
    this.at = at;
  }

  #number(first: number): Token {
    const { bytes } = this;
    let at = this.at;
    let integer = 0;
    let digits = 0;
    if (first === 0x2d || first === 0x2b) at++;
    for (; ; at++) {
      const digit = (bytes[at] ?? 0) - 0x30;
      if (digit < 0 || digit > 9) break;
      integer = integer * 10 + digit;
      digits++;
    }
    const next = bytes[at];
    if (next === undefined) this.ranOut = true;
    else if (CHARACTER_CLASS[next] === REGULAR) return this.#oddNumber(at);
    if (digits === 0 || integer > Number.MAX_SAFE_INTEGER) return this.#oddNumber(at);
    this.at = at;
    return first === 0x2d && integer !== 0 ? -integer : integer;
  }

  /** Reads a real, an integer beyond the exact range of a double, or a word that begins like a number. */
  #oddNumber(from: number): Token {
    const { bytes } = this;
    let at = from;
    let numeric = true;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (CHARACTER_CLASS[byte] !== REGULAR) break;
      if (!((byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x2d || byte === 0x2b))
        numeric = false;
    }
    if (!numeric) return this.#word();
    if (at === bytes.length) this.ranOut = true;
    this.at = at;
    return new PdfReal(String.fromCharCode(...bytes.subarray(this.start, Math.min(at, this.start + 400))));
  }

  #word(): Token {
    const { bytes } = this;
    let at = this.at;
    const second = bytes[at + 1];
    // The most frequent word is the R of a reference.
    if (bytes[at] === 0x52 && second !== undefined && CHARACTER_CLASS[second] !== REGULAR) {
      this.at++;
      return REFERENCE;
    }
    while (at < bytes.length && CHARACTER_CLASS[bytes[at] as number] === REGULAR) at++;
    if (at === bytes.length) this.ranOut = true;
    this.at = at;
    const length = at - this.start;
    if (length <= 2) return this.#shortWord(length);
    const known = this.#frequentWord(length);
    if (known) return known;
    // No keyword is longer than `startxref`. Longer words are skipped.
    const text = String.fromCharCode(...bytes.subarray(this.start, Math.min(at, this.start + 32)));
    if (text === "true") return true;
    if (text === "false") return false;
    if (text === "null") return null;
    return keywords.get(text) ?? new Keyword(text);
  }

  /** Returns the keyword of one or two bytes. Content consists mostly of such operators. */
  #shortWord(length: number): Keyword {
    const first = this.bytes[this.start] ?? 0;
    const second = length === 2 ? (this.bytes[this.start + 1] ?? 0) : 0;
    const index = first | (second << 8);
    const known = shortKeywords[index];
    if (known) return known;
    const text = length === 2 ? String.fromCharCode(first, second) : String.fromCharCode(first);
    const keyword = keywords.get(text) ?? new Keyword(text);
    shortKeywords[index] = keyword;
    return keyword;
  }

  /** Recognizes `obj` and `endobj` without making a string. */
  #frequentWord(length: number): Keyword | undefined {
    const { bytes, start } = this;
    const last = start + length - 3;
    const isObj =
      (length === 3 || length === 6) &&
      bytes[last] === 0x6f &&
      bytes[last + 1] === 0x62 &&
      bytes[last + 2] === 0x6a;
    if (!isObj) return undefined;
    if (length === 3) return OBJ;
    const isEnd = bytes[start] === 0x65 && bytes[start + 1] === 0x6e && bytes[start + 2] === 0x64;
    return isEnd ? ENDOBJ : undefined;
  }

  #name(): PdfName {
    const { bytes } = this;
    const from = this.at + 1;
    let at = from;
    let escaped = false;
    let hash = 0;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (CHARACTER_CLASS[byte] !== REGULAR) break;
      if (byte === 0x23) escaped = true;
      hash = hashName(hash, byte);
    }
    if (at === bytes.length) this.ranOut = true;
    this.at = at;
    if (escaped) return PdfName.of(latin1(unescapeName(bytes.subarray(from, at))));
    return PdfName.spelled(bytes, from, at, hash);
  }

  #literalString(): PdfString {
    const { bytes } = this;
    const from = this.at + 1;
    let depth = 1;
    let plain = true;
    let end = from;
    for (; end < bytes.length; end++) {
      const byte = bytes[end];
      if (byte === 0x5c) {
        plain = false;
        end++;
      } else if (byte === 0x28) depth++;
      else if (byte === 0x29) {
        if (--depth === 0) break;
      } else if (byte === CR) plain = false;
    }
    if (end >= bytes.length) {
      this.ranOut = true;
      end = bytes.length;
    }
    this.at = Math.min(end + 1, bytes.length);
    return new PdfString(plain ? bytes.slice(from, end) : unescapeString(bytes.subarray(from, end)));
  }

  #hexString(): PdfString {
    const { bytes } = this;
    const from = this.at + 1;
    let end = bytes.indexOf(0x3e, from);
    if (end < 0) {
      end = bytes.length;
      this.ranOut = true;
    }
    this.at = Math.min(end + 1, bytes.length);
    const decoded = new Uint8Array((end - from + 1) >> 1);
    let digits = 0;
    for (let at = from; at < end; at++) {
      const value = HEX_VALUE[bytes[at] as number] as number;
      if (value > 15) continue;
      decoded[digits >> 1] = (decoded[digits >> 1] as number) | (digits & 1 ? value : value << 4);
      digits++;
    }
    return new PdfString(decoded.subarray(0, (digits + 1) >> 1), true);
  }
}
