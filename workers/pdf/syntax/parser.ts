import {
  ARRAY_CLOSE,
  ARRAY_OPEN,
  DICT_CLOSE,
  DICT_OPEN,
  END,
  Keyword,
  type Lexer,
  type Token,
} from "./lexer.ts";
import { type ObjectSource, PdfDict, PdfName, type PdfObject, PdfRef, PdfString } from "./objects.ts";

/** Counts the parts of objects: arrays, dictionaries and strings. */
interface PartMeter {
  /** @throws {ServiceError} when there is no budget left */
  charge(kind: "part"): void;
}

/** The most nested objects, as in qpdf. */
export const DEPTH_LIMIT = 500;
/** The most parts of one object. A part takes much more memory than its bytes. */
const PARTS_LIMIT = 2_000_000;
/** The most items of an array or a dictionary. */
const ITEMS_LIMIT = 4_000_000;

/** The error for an object that is too large or too deep. */
export class MalformedObject extends Error {
  override readonly name = "MalformedObject";
}

/** Keywords that end an object with unclosed brackets. */
const ENDS = new Set(["endobj", "obj", "stream", "endstream", "xref", "trailer", "startxref"]);

/** An array or a dictionary that is being read. */
interface Open {
  readonly kind: "array" | "dict";
  readonly items: PdfObject[];
}

/**
 * Reads one object, without recursion. No indirect object is a mere reference (ISO 32000-2, 7.5.7). An unclosed array or dictionary ends with the object around it. An unknown word
 * becomes null.
 *
 * @param budget charged with the object's parts, not with its bytes
 * @param source the file that its references lead to
 * @throws {MalformedObject} past {@link DEPTH_LIMIT} or {@link PARTS_LIMIT}
 */
export function parseObject(lexer: Lexer, budget?: PartMeter, source?: ObjectSource): PdfObject {
  const stack: Open[] = [];
  let parts = 0;
  let open: Open | undefined;
  for (;;) {
    const token = lexer.next();
    let value: PdfObject;
    if (!(token instanceof Keyword)) {
      if (!open) return token;
      if (token instanceof PdfString) countPart(++parts, budget);
      value = token;
    } else if (token === DICT_OPEN || token === ARRAY_OPEN) {
      if (open) stack.push(open);
      if (stack.length >= DEPTH_LIMIT) throw new MalformedObject("it nests too deep");
      countPart(++parts, budget);
      open = { kind: token === DICT_OPEN ? "dict" : "array", items: [] };
      continue;
    } else if (token === DICT_CLOSE || token === ARRAY_CLOSE) {
      if (!open) return null;
      const kind = token === DICT_CLOSE ? "dict" : "array";
      if (open.kind !== kind) {
        // `[ 1 2 >>`: the array ends with its dictionary. `<< /A 1 ]`: ignore the bracket.
        const outer = stack.at(-1);
        if (kind === "array" || outer?.kind !== "dict") continue;
        stack.pop();
        outer.items.push(close(open, source));
        open = outer;
      }
      value = close(open, source);
      open = stack.pop();
      if (!open) return value;
    } else if (token.text === "R" && open) {
      const gen = open.items.at(-1);
      const num = open.items.at(-2);
      if (typeof gen !== "number" || typeof num !== "number") continue;
      open.items.pop();
      open.items.pop();
      value = referenceTo(num, gen, source);
    } else if (token === END || ENDS.has(token.text)) {
      lexer.at = lexer.start;
      if (!open) return null;
      let whole = close(open, source);
      for (let outer = stack.pop(); outer; outer = stack.pop()) {
        outer.items.push(whole);
        whole = close(outer, source);
      }
      return whole;
    } else {
      if (!open) return null;
      value = null;
    }
    if (open.items.length >= ITEMS_LIMIT) throw new MalformedObject("it has too many items");
    open.items.push(value);
  }
}

function countPart(parts: number, budget: PartMeter | undefined): void {
  if (parts > PARTS_LIMIT) throw new MalformedObject("it has too many parts");
  budget?.charge("part");
}

/** Returns whether a token is the keyword `text`. */
export function isKeyword(token: Token, text: string): boolean {
  return token instanceof Keyword && token.text === text;
}

function referenceTo(num: number, gen: number, source: ObjectSource | undefined): PdfObject {
  return num > 0 && gen >= 0 && gen <= 65535 ? new PdfRef(num, gen, source) : null;
}

function close({ kind, items }: Open, source: ObjectSource | undefined): PdfObject {
  if (kind === "array") return items;
  return new PdfDict(soundEntries(items), source);
}

/** Returns the keys and values of items that may be malformed. */
function soundEntries(items: readonly PdfObject[]): (string | PdfObject)[] {
  const entries = new Map<string, PdfObject>();
  for (let index = 0; index < items.length; index++) {
    const key = items[index];
    // Skip to the next key.
    if (!(key instanceof PdfName)) continue;
    const value = items[index + 1];
    // A null entry is an absent entry (ISO 32000-2, 7.3.7).
    if (value !== null && value !== undefined) entries.set(key.value, value);
    index++;
  }
  const flat: (string | PdfObject)[] = [];
  for (const [key, value] of entries) flat.push(key, value);
  return flat;
}
