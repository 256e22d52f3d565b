import { joinBytes } from "../../io/concat-bytes.ts";
import { CHARACTER_CLASS, latin1Bytes, REGULAR, WHITE_SPACE } from "../syntax/characters.ts";
import { ARRAY_CLOSE, ARRAY_OPEN, DICT_CLOSE, DICT_OPEN, END, Keyword, Lexer } from "../syntax/lexer.ts";
import { nameOf, PdfDict } from "../syntax/objects.ts";
import { MalformedObject, parseObject } from "../syntax/parser.ts";

/** The byte that ends the data of filters: `>` (ISO 32000-2, 7.4.2), and `~` before `>` (7.4.3). */
const MARKS_OF_END: ReadonlyMap<string, number> = new Map([
  ["AHx", 0x3e],
  ["ASCIIHexDecode", 0x3e],
  ["A85", 0x7e],
  ["ASCII85Decode", 0x7e],
]);
/** The components of the color spaces whose names are no resources (8.9.7). */
const COMPONENTS: ReadonlyMap<string, number> = new Map([
  ["G", 1],
  ["DeviceGray", 1],
  ["CalGray", 1],
  ["I", 1],
  ["Indexed", 1],
  ["RGB", 3],
  ["DeviceRGB", 3],
  ["CalRGB", 3],
  ["CMYK", 4],
  ["DeviceCMYK", 4],
]);
/** All operators of content (Annex A). */
const OPERATORS = new Set(
  (
    "b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i J j K k l M m MP n q Q re RG rg ri S s " +
    "SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \""
  ).split(" "),
);
/** How many operations after an inline image must be known, and how many bytes are looked at. */
const FOLLOWING = 3;
const LOOKED_AT = 1024;
/** The white space between the data and `EI`. */
const MOST_SPACE = 16;
/** How often an `EI` may be data. Random data of 64 MB has about a hundred. */
const MOST_UNCERTAIN = 1000;
/** The bytes after an inline image that may be text instead. */
const TEXT_AFTER = 24;

/**
 * Returns the offset after the `EI` of an inline image (ISO 32000-2, 8.9.7): where its entries say that the data ends, else
 * after the first `EI` that content follows. Data may hold these letters.
 *
 * @param entries the offset after `BI`
 * @param data the offset after `ID`
 * @param marks where the ends of filters are, by their byte: what earlier images of this content have found
 * @returns undefined when each `EI` may be data
 */
export function endOfInlineImage(
  content: Uint8Array,
  entries: number,
  data: number,
  marks: Map<number, number>,
): number | undefined {
  const dict = dictOfImage(content.subarray(entries, data - 2));
  return statedEnd(content, dict, data, marks) ?? likelyEnd(content, data);
}

function dictOfImage(entries: Uint8Array): PdfDict {
  try {
    const found = parseObject(new Lexer(joinBytes([latin1Bytes("<<"), entries, latin1Bytes(">>")])));
    return found instanceof PdfDict ? found : new PdfDict();
  } catch (error) {
    if (error instanceof MalformedObject) return new PdfDict();
    throw error;
  }
}

/** Returns the end by a filter or by the size of the image; undefined when they do not say it, or no `EI` is there. */
function statedEnd(
  content: Uint8Array,
  dict: PdfDict,
  data: number,
  marks: Map<number, number>,
): number | undefined {
  const filters = [...dict.list("F"), ...dict.list("Filter")];
  if (filters.length > 0) {
    const mark = MARKS_OF_END.get(nameOf(filters[0]) ?? "");
    if (mark === undefined) return undefined;
    const end = offsetOf(mark, content, data, marks);
    return afterEnd(content, content[end + 1] === 0x3e ? end + 2 : end + 1);
  }
  const length = unfilteredLength(dict);
  if (length === undefined || length > content.length) return undefined;
  const isSpace = CHARACTER_CLASS[content[data] ?? 0] === WHITE_SPACE;
  const found = afterEnd(content, data + (isSpace ? 1 : 0) + length);
  const isLine = content[data] === 0x0d && content[data + 1] === 0x0a;
  return found === undefined && isLine ? afterEnd(content, data + 2 + length) : found;
}

function unfilteredLength(dict: PdfDict): number | undefined {
  const entry = (short: string, long: string) => dict.get(short) ?? dict.get(long);
  const width = entry("W", "Width");
  const height = entry("H", "Height");
  const space = entry("CS", "ColorSpace");
  const isMask = entry("IM", "ImageMask") === true;
  const depth = isMask ? 1 : entry("BPC", "BitsPerComponent");
  const components = isMask ? 1 : COMPONENTS.get(nameOf(Array.isArray(space) ? space[0] : space) ?? "");
  if (typeof width !== "number" || typeof height !== "number" || typeof depth !== "number") return undefined;
  if (components === undefined || width <= 0 || height <= 0) return undefined;
  return Math.ceil((width * components * depth) / 8) * height;
}

/** Returns the first offset of a byte; the length when there is none. No part is searched twice for many images. */
function offsetOf(mark: number, content: Uint8Array, from: number, marks: Map<number, number>): number {
  const known = marks.get(mark) ?? -1;
  if (known >= from) return known;
  const found = content.indexOf(mark, from);
  const offset = found < 0 ? content.length : found;
  marks.set(mark, offset);
  return offset;
}

/** Returns the offset after an `EI` that only some white space precedes. */
function afterEnd(content: Uint8Array, from: number): number | undefined {
  let at = from;
  while (at < from + MOST_SPACE && CHARACTER_CLASS[content[at] ?? 0] === WHITE_SPACE) at++;
  return isEnd(content, at) ? at + 2 : undefined;
}

function isEnd(content: Uint8Array, at: number): boolean {
  const isLast = at + 2 >= content.length;
  return (
    content[at] === 0x45 &&
    content[at + 1] === 0x49 &&
    (isLast || CHARACTER_CLASS[content[at + 2] ?? 0] !== REGULAR)
  );
}

function likelyEnd(content: Uint8Array, from: number): number | undefined {
  let uncertain = 0;
  for (let at = content.indexOf(0x45, from); at >= 0; at = content.indexOf(0x45, at + 1)) {
    if (!isEnd(content, at)) continue;
    const isWord = CHARACTER_CLASS[content[at - 1] ?? 0] === WHITE_SPACE;
    const next = content.subarray(at + 2, at + 2 + TEXT_AFTER);
    if ((isWord && next.every(isText)) || leadsToOperations(content, at + 2)) return at + 2;
    if (++uncertain > MOST_UNCERTAIN) break;
  }
  return uncertain > 0 ? undefined : content.length;
}

function isText(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Returns whether the next operators are known ones. */
function leadsToOperations(content: Uint8Array, from: number): boolean {
  const lexer = new Lexer(content.subarray(from, from + LOOKED_AT));
  for (let known = 0; known < FOLLOWING; ) {
    const token = lexer.next();
    if (token === END) return from + LOOKED_AT >= content.length;
    if (!(token instanceof Keyword) || BRACKETS.has(token)) continue;
    if (!OPERATORS.has(token.text)) return false;
    known++;
  }
  return true;
}

const BRACKETS: ReadonlySet<Keyword> = new Set([DICT_OPEN, DICT_CLOSE, ARRAY_OPEN, ARRAY_CLOSE]);
