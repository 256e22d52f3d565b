import { Inflate, inflateSync } from "fflate";
import { joined } from "../../joined.ts";
import { CHARACTER_CLASS, HEX_VALUE, WHITE_SPACE } from "../syntax/characters.ts";
import { integerOf, PdfDict, PdfName, type PdfObject } from "../syntax/objects.ts";
import { lzwDecode } from "./lzw.ts";
import { undoPredictor } from "./predictors.ts";
import type { WorkBudget } from "./work-budget.ts";

/** A stream whose filters cannot be undone; the message says why. */
export class UndecodableStream extends Error {
  override readonly name = "UndecodableStream";
}

/**
 * No structure that Stayput reads is larger than this when decoded, all that its filters give taken together; more is a
 * decompression bomb.
 */
const DECODED_LIMIT = 128 * 1024 * 1024;
/** Real streams have one filter, or two. */
const FILTER_LIMIT = 6;
/** Nearly all deflated data is unpacked to at most so many times its length. */
const LIKELY_RATIO = 32;
/** Longer data is unpacked in steps. */
const MOST_AT_ONCE = 128 * 1024;
/** Compressed bytes that are taken at a time: what a bomb can do before it is seen. */
const STEP = 8192;
/** The same around a break: what the break can cost. */
const FINE_STEP = 16;
/** What a byte that is taken in such small steps costs of the budget: at each, the last 32 KB are copied. */
const FINE_WORK = 16;

/**
 * Where small streams are unpacked: the library would take 128 KB and more anew for each of them, which costs more than
 * to unpack it.
 */
const inflatingRoom = new Uint8Array(512 * 1024);
/** Streams up to this size are likely to fit in there. */
const SMALL_DEFLATED = 32 * 1024;

type Resolve = (object: PdfObject | undefined) => PdfObject;

interface Filter {
  readonly name: string;
  readonly parameters: PdfDict | undefined;
}

const ABBREVIATIONS = new Map([
  ["Fl", "FlateDecode"],
  ["LZW", "LZWDecode"],
  ["A85", "ASCII85Decode"],
  ["AHx", "ASCIIHexDecode"],
  ["RL", "RunLengthDecode"],
]);

/**
 * The filters of a stream's dictionary, in the order in which they are undone.
 *
 * @throws UndecodableStream when there are more than any real stream has
 */
function filtersOf(dict: PdfDict, resolve: Resolve): Filter[] {
  const filter = resolve(dict.get("Filter") ?? dict.get("F"));
  const parameters = resolve(dict.get("DecodeParms") ?? dict.get("DP"));
  const names = Array.isArray(filter) ? filter : [filter];
  if (names.length > FILTER_LIMIT) throw new UndecodableStream("the stream has too many filters");
  return names.flatMap((entry, index) => {
    const name = resolve(entry);
    if (!(name instanceof PdfName)) return [];
    const own = resolve(Array.isArray(parameters) ? parameters[index] : index === 0 ? parameters : null);
    return [
      {
        name: ABBREVIATIONS.get(name.value) ?? name.value,
        parameters: own instanceof PdfDict ? own : undefined,
      },
    ];
  });
}

/**
 * Undoes a stream's filters (ISO 32000-2, 7.4), as far as structure and content need them. Compressed data that
 * breaks off gives what came before the break, as other readers do.
 *
 * @param budget is charged with what every filter gives while it is unpacked, and with what had to be unpacked more than
 *   once
 * @throws UndecodableStream for a filter that is not one of the general ones, or too much data
 */
export function decodeStream(
  data: Uint8Array,
  dict: PdfDict,
  resolve: Resolve,
  budget: WorkBudget,
): Uint8Array {
  let decoded = data;
  let left = DECODED_LIMIT;
  for (const { name, parameters } of filtersOf(dict, resolve)) {
    const parameter = (key: string, otherwise: number) =>
      integerOf(resolve(parameters?.get(key))) ?? otherwise;
    const predictor = {
      predictor: parameter("Predictor", 1),
      colors: parameter("Colors", 1),
      bitsPerComponent: parameter("BitsPerComponent", 8),
      columns: parameter("Columns", 1),
    };
    const unpacked = (bytes: Uint8Array) => {
      if (predictor.predictor >= 2) budget.spend(bytes.length);
      return undoPredictor(bytes, predictor);
    };
    if (name === "FlateDecode") decoded = unpacked(inflate(decoded, budget, left));
    else if (name === "LZWDecode") {
      const bytes = lzwDecode(decoded, parameter("EarlyChange", 1), Math.min(left, budget.left + 1));
      budget.spend(bytes.length);
      decoded = unpacked(bytes);
    } else if (name === "ASCIIHexDecode") decoded = asciiHexDecode(decoded);
    else if (name === "ASCII85Decode") decoded = ascii85Decode(decoded);
    else if (name === "RunLengthDecode") decoded = runLengthDecode(decoded);
    else if (name === "Crypt") continue;
    else throw new UndecodableStream(`the filter ${name} is not one that holds text`);
    if (name !== "FlateDecode" && name !== "LZWDecode") budget.spend(decoded.length);
    left -= decoded.length;
    if (left < 0) throw tooLarge();
  }
  return decoded;
}

function tooLarge(): UndecodableStream {
  return new UndecodableStream("the stream unpacks to more than 128 MB");
}

/**
 * The zlib header and checksum are not looked at: readers agree to use what can be had.
 *
 * @param limit how many bytes it may unpack to
 */
function inflate(data: Uint8Array, budget: WorkBudget, limit: number): Uint8Array {
  const body = data.subarray(2);
  let attempts = 0;
  if (body.length <= MOST_AT_ONCE) {
    const unpacked = inflateInRoom(body);
    if (unpacked) {
      budget.spend(unpacked.length);
      return unpacked;
    }
    attempts++;
  }
  let inflated = inflateInSteps(body, budget, limit);
  const { brokenAt } = inflated;
  if (brokenAt !== undefined) {
    budget.spend(FINE_WORK * Math.min(STEP, body.length - brokenAt));
    inflated = inflateInSteps(body, budget, limit, brokenAt);
  }
  const { chunks, length } = inflated;
  // The attempt at once came as far as this.
  budget.spend(attempts * length);
  if (length > limit) throw tooLarge();
  return joined(chunks);
}

/**
 * What unpacks before the data end or break, and which step breaks.
 *
 * @param limit where unpacking stops
 * @param fineFrom where a step begins that is known to break: what comes before the break is had in small steps
 */
function inflateInSteps(
  body: Uint8Array,
  budget: WorkBudget,
  limit: number,
  fineFrom = body.length,
): { readonly chunks: readonly Uint8Array[]; readonly length: number; readonly brokenAt?: number } {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream = new Inflate((chunk) => {
    chunks.push(chunk);
    length += chunk.length;
  });
  let at = 0;
  while (at < body.length && length <= limit) {
    const step = at >= fineFrom && at < fineFrom + STEP ? FINE_STEP : STEP;
    const before = length;
    try {
      // Never as the last piece: an end that is missing would cost what came before it.
      stream.push(body.subarray(at, at + step));
    } catch {
      return { chunks, length, brokenAt: at };
    }
    budget.spend(length - before);
    at += step;
  }
  return { chunks, length };
}

/** What unpacks to so much as there is room for; undefined when there is more, or it is damaged. */
function inflateInRoom(body: Uint8Array): Uint8Array | undefined {
  const room = body.length <= SMALL_DEFLATED ? inflatingRoom : new Uint8Array(LIKELY_RATIO * body.length);
  try {
    const unpacked = inflateSync(body, { out: room });
    // When the room is full, something may be missing.
    return unpacked.length < room.length ? unpacked.slice() : undefined;
  } catch {
    // Damaged: the careful way keeps what comes before the damage.
    return undefined;
  }
}

function asciiHexDecode(data: Uint8Array): Uint8Array {
  const out = new Uint8Array((data.length + 1) >> 1);
  let digits = 0;
  for (const byte of data) {
    if (byte === 0x3e) break;
    const value = HEX_VALUE[byte] as number;
    if (value > 15) continue;
    out[digits >> 1] = (out[digits >> 1] as number) | (digits & 1 ? value : value << 4);
    digits++;
  }
  return out.subarray(0, (digits + 1) >> 1);
}

function ascii85Decode(data: Uint8Array): Uint8Array {
  let zeros = 0;
  for (const byte of data) if (byte === 0x7a) zeros++;
  const size = zeros * 4 + data.length + 4;
  if (size > 2 * DECODED_LIMIT) throw tooLarge();
  const out = new Uint8Array(size);
  let length = 0;
  let group = 0;
  let count = 0;
  const flush = (bytes: number) => {
    for (let index = 0; index < bytes; index++) out[length++] = Math.floor(group / 256 ** (3 - index)) & 255;
    group = 0;
    count = 0;
  };
  for (const byte of data) {
    if (byte === 0x7e) break;
    if (CHARACTER_CLASS[byte] === WHITE_SPACE) continue;
    if (byte === 0x7a && count === 0) {
      flush(4);
    } else if (byte >= 0x21 && byte <= 0x75) {
      group = group * 85 + byte - 0x21;
      if (++count === 5) flush(4);
    }
  }
  if (count > 1) {
    for (let pad = count; pad < 5; pad++) group = group * 85 + 84;
    flush(count - 1);
  }
  return out.slice(0, length);
}

function runLengthDecode(data: Uint8Array): Uint8Array {
  let size = 0;
  for (let at = 0; at < data.length && data[at] !== 128; ) {
    const length = data[at] as number;
    size += length < 128 ? length + 1 : 257 - length;
    at += length < 128 ? length + 2 : 2;
  }
  if (size > DECODED_LIMIT) throw tooLarge();
  const out = new Uint8Array(size);
  let to = 0;
  for (let at = 0; at < data.length && data[at] !== 128; ) {
    const length = data[at++] as number;
    if (length < 128) {
      const run = data.subarray(at, at + length + 1);
      out.set(run, to);
      to += run.length;
      at += length + 1;
    } else {
      if (at < data.length) out.fill(data[at] as number, to, to + 257 - length);
      to += at < data.length ? 257 - length : 0;
      at++;
    }
  }
  return out.subarray(0, to);
}
