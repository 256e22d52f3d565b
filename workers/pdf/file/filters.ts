import { Inflate, inflateSync } from "fflate";
import { adler32 } from "../../io/adler32.ts";
import { isInflateError } from "../../io/bounded-inflate.ts";
import { concatBytes, joinBytes } from "../../io/concat-bytes.ts";
import { equalBytes } from "../../io/equal-bytes.ts";
import { CHARACTER_CLASS, HEX_VALUE, WHITE_SPACE } from "../syntax/characters.ts";
import { dictOf, nameOf, type PdfDict, type PdfObject } from "../syntax/objects.ts";
import { lzwChunks } from "./lzw.ts";
import { predictedChunks } from "./predictors.ts";
import type { WorkMeter } from "./work-budget.ts";

/** A stream whose filters cannot be undone; the message says why. */
export class UndecodableStream extends Error {
  override readonly name = "UndecodableStream";
}

/** A stream with more filters than Stayput undoes. Another reader may undo them. */
export class TooManyFilters extends UndecodableStream {}

/** A stream that unpacks to more data than structure needs. */
export class UnpacksTooMuch extends UndecodableStream {}

/** Returns bytes in chunks. Each call starts again at the first chunk. */
export type Chunks = () => Iterable<Uint8Array>;

/** The most bytes of a stream that is decoded as a whole. No structure needs more; more is a decompression bomb. */
const DECODED_LIMIT = 128 * 1024 * 1024;
/** The most filters of a stream. Real streams have one or two. */
export const FILTER_LIMIT = 6;
/** Deflated data up to this size is inflated at once. Longer data is inflated in steps. */
const WHOLE_DEFLATED = 128 * 1024;
/** The ratio of inflated to deflated bytes that nearly all data stays below. */
const LIKELY_RATIO = 32;
/** Compressed bytes of one step. Bounds the output of a decompression bomb before a check. */
const STEP = 8192;
/** The bytes of one step near damage. Bounds the data that is lost. */
const FINE_STEP = 16;
/**
 * Deflated data is over when so many bytes have no output. No block holds back more than 64 KB, and the library, which does
 * not tell the end, would keep and copy all that comes after it at each step.
 */
const SILENT = 128 * 1024;
/** The work of each byte in fine steps: the library copies the last 32 KB at each step. */
const FINE_WORK = 16;

/**
 * The number of encoded bytes that are decoded at a time, for ASCII85 and for run lengths. Small steps keep
 * the chunks small.
 */
const ASCII85_STEP = 256 * 1024;
const RUN_STEP = 16 * 1024;

/**
 * A shared output buffer for small streams. The library would allocate at least 128 KB for each, which takes longer than
 * inflating.
 */
const inflateBuffer = new Uint8Array(512 * 1024);
/** Streams up to this size are likely to fit into {@link inflateBuffer}. */
const SMALL_DEFLATED = 32 * 1024;

/** Called when encoded data is damaged or cut off. */
export type OnDamage = () => void;

/** Readers show what is before the damage. */
const ignoreDamage: OnDamage = () => {};

/** The bytes of a checksum, and of a line end that may be counted as a part of the data. */
const CHECKSUM = 4;
const LINE_END = 2;

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

/** Returns the filters of a stream and their parameters. Readers also take the short names that inline images have. */
export function filterEntries(dict: PdfDict): {
  readonly filters: readonly PdfObject[];
  readonly parameters: readonly PdfObject[];
} {
  return {
    filters: dict.list(dict.has("Filter") ? "Filter" : "F"),
    parameters: dict.list(dict.has("DecodeParms") ? "DecodeParms" : "DP"),
  };
}

/** Returns the dictionary of a stream whose data has other filters, by the long names of these entries. */
export function withFilters(
  dict: PdfDict,
  filters: PdfObject,
  parameters: PdfObject | undefined = null,
): PdfDict {
  const changed = dict.clone();
  // Here, `F` is the short name of `Filter`. Beside `Filter`, it would be a file with the data (ISO 32000-2, Table 5).
  if (!dict.has("Filter")) changed.delete("F");
  for (const key of ["DecodeParms", "DP"]) changed.delete(key);
  changed.set("Filter", filters);
  if (parameters !== null) changed.set("DecodeParms", parameters);
  return changed;
}

/**
 * Returns the filters of a stream in the order of decoding.
 *
 * @throws UndecodableStream when there are more than any real stream has
 */
function filtersOf(dict: PdfDict): Filter[] {
  const { filters, parameters } = filterEntries(dict);
  if (filters.length > FILTER_LIMIT) throw new TooManyFilters("the stream has too many filters");
  return filters.flatMap((entry, index) => {
    const name = nameOf(entry);
    if (name === undefined) return [];
    return [{ name: ABBREVIATIONS.get(name) ?? name, parameters: dictOf(parameters[index]) }];
  });
}

/**
 * Decodes a stream (ISO 32000-2, 7.4) with the filters that structure and content use. For damaged compressed data,
 * returns the part before the damage, as other readers do.
 *
 * @param budget charged with the output of every filter, and with repeated work
 * @param onDamage called when encoded data is damaged or cut off. Without it, checksums are not compared
 * @throws UndecodableStream for a filter that is not one of the general ones, or too much data
 */
export function decodeStream(
  data: Uint8Array,
  dict: PdfDict,
  budget: WorkMeter,
  onDamage?: OnDamage,
): Uint8Array {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (const chunk of decodedChunks(() => [data], dict, budget, onDamage)) {
    length += chunk.length;
    if (length > DECODED_LIMIT) throw new UnpacksTooMuch("the stream unpacks to more than 128 MB");
    chunks.push(chunk);
  }
  return joinBytes(chunks);
}

/**
 * Undoes a stream's filters and returns the data in chunks. The data may have any length. Small data stays in
 * one chunk.
 *
 * @param budget charged as in {@link decodeStream}
 * @param onDamage called as in {@link decodeStream}
 * @throws UndecodableStream when a filter is not one of the general ones
 */
export function decodedChunks(
  data: Chunks,
  dict: PdfDict,
  budget: WorkMeter,
  onDamage?: OnDamage,
): Iterable<Uint8Array> {
  let decoded = data;
  for (const filter of filtersOf(dict)) decoded = undone(filter, decoded, budget, onDamage);
  return decoded();
}

/** Returns the output of a filter. */
function undone(
  { name, parameters }: Filter,
  input: Chunks,
  budget: WorkMeter,
  onDamage: OnDamage | undefined,
): Chunks {
  const parameter = (key: string, otherwise: number) => parameters?.integer(key) ?? otherwise;
  const predictor = {
    predictor: parameter("Predictor", 1),
    colors: parameter("Colors", 1),
    bitsPerComponent: parameter("BitsPerComponent", 8),
    columns: parameter("Columns", 1),
  };
  const earlyChange = parameter("EarlyChange", 1);
  const counted = (chunks: Chunks) => () => charged(chunks(), budget);
  switch (name) {
    case "FlateDecode":
      return counted(() => {
        const inflated = onDamage ? comparedChunks(input, budget, onDamage) : inflatedChunks(input, budget);
        return predictedChunks(inflated, predictor);
      });
    case "LZWDecode":
      return counted(() =>
        predictedChunks(lzwChunks(input(), earlyChange, onDamage ?? ignoreDamage), predictor),
      );
    case "ASCIIHexDecode":
      return counted(() => asciiHexChunks(input(), onDamage ?? ignoreDamage));
    case "ASCII85Decode":
      return counted(() => ascii85Chunks(input(), onDamage ?? ignoreDamage));
    case "RunLengthDecode":
      return counted(() => runLengthChunks(input(), onDamage ?? ignoreDamage));
    case "Crypt":
      return input;
    default:
      throw new UndecodableStream(`the filter ${name} is not one that holds text`);
  }
}

function* charged(chunks: Iterable<Uint8Array>, budget: WorkMeter): Generator<Uint8Array> {
  for (const chunk of chunks) {
    budget.charge("byte", chunk.length);
    yield chunk;
  }
}

/** Inflates data. Ignores the zlib header and checksum, as other readers do. */
function* inflatedChunks(input: Chunks, budget: WorkMeter): Generator<Uint8Array> {
  let failures = 0;
  const whole = wholeUpTo(input(), WHOLE_DEFLATED);
  if (whole) {
    const unpacked = inflateWhole(whole.subarray(2));
    if (unpacked) {
      yield unpacked;
      return;
    }
    // The stepwise code below bounds the output and keeps the data before any damage.
    failures++;
  }
  const data = whole ? () => [whole] : input;
  let length = 0;
  const steps = function* (fineFrom?: number): Generator<Uint8Array, number | undefined> {
    // The first attempt has yielded the data before the damaged step already.
    let known = length;
    const chunks = inflateSteps(data(), fineFrom);
    for (let next = chunks.next(); ; next = chunks.next()) {
      if (next.done) return next.value;
      const unknown = next.value.subarray(known);
      known = Math.max(0, known - next.value.length);
      length += unknown.length;
      if (unknown.length > 0) yield unknown;
    }
  };
  const brokenAt = yield* steps();
  if (brokenAt !== undefined) {
    failures++;
    const fineBrokenAt = yield* steps(brokenAt);
    budget.charge("byte", FINE_WORK * (FINE_STEP + (fineBrokenAt ?? brokenAt) - brokenAt));
  }
  // Each failed attempt inflated about this much.
  budget.charge("byte", failures * length);
}

/** Inflates data, and compares it with the checksum at the end of the deflated data (RFC 1950, 2.2). */
function* comparedChunks(input: Chunks, budget: WorkMeter, onDamage: OnDamage): Generator<Uint8Array> {
  // The last bytes, once all are read. They are not read again, as other filters may have to be undone for it.
  let end = new Uint8Array();
  const noted = function* (): Generator<Uint8Array> {
    end = new Uint8Array();
    let last = end;
    for (const chunk of input()) {
      last = concatBytes([last, chunk.subarray(-CHECKSUM - LINE_END)]).slice(-CHECKSUM - LINE_END);
      yield chunk;
    }
    end = last;
  };
  let sum = 1;
  for (const chunk of inflatedChunks(noted, budget)) {
    sum = adler32(chunk, sum);
    yield chunk;
  }
  const stated = Uint8Array.from({ length: CHECKSUM }, (_, index) => sum / 2 ** (24 - 8 * index));
  for (let extra = 0; extra <= LINE_END; extra++) {
    const from = end.length - CHECKSUM - extra;
    if (from >= 0 && equalBytes(end.subarray(from, from + CHECKSUM), stated)) return;
    const last = end[end.length - 1 - extra];
    if (last !== 0x0a && last !== 0x0d) break;
  }
  onDamage();
}

/** Returns the inflated data; undefined when its size exceeds the likely ratio or the data is damaged. */
function inflateWhole(body: Uint8Array): Uint8Array | undefined {
  try {
    if (body.length > SMALL_DEFLATED) return inflateInto(new Uint8Array(LIKELY_RATIO * body.length), body);
    // Deflate shrinks data at most 1032 times, so data of this size inflates to 33 MB at most.
    return inflateInto(inflateBuffer, body) ?? inflateSync(body);
  } catch (error) {
    if (isInflateError(error)) return undefined;
    throw error;
  }
}

/** Returns the inflated data; undefined when `buffer` is too small for it. */
function inflateInto(buffer: Uint8Array, body: Uint8Array): Uint8Array | undefined {
  const unpacked = inflateSync(body, { out: buffer });
  return unpacked.length < buffer.length ? unpacked.slice() : undefined;
}

/** Returns the data in one chunk; undefined when it is longer than `limit` bytes. */
function wholeUpTo(chunks: Iterable<Uint8Array>, limit: number): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let length = 0;
  for (const chunk of chunks) {
    length += chunk.length;
    if (length > limit) return undefined;
    parts.push(chunk);
  }
  return joinBytes(parts);
}

/**
 * Inflates data in small steps, up to its end or to the first step that fails. Ignores what comes after its end.
 *
 * @param fineFrom the start of a step that is known to fail; it is inflated in smaller steps
 * @returns the start of the step that failed; undefined when none did
 */
function* inflateSteps(
  data: Iterable<Uint8Array>,
  fineFrom = Number.POSITIVE_INFINITY,
): Generator<Uint8Array, number | undefined> {
  let given: Uint8Array[] = [];
  const stream = new Inflate((chunk) => {
    if (chunk.length > 0) given.push(chunk);
  });
  let before = 0;
  let silent = 0;
  for (const chunk of data) {
    // The zlib header has two bytes.
    for (let at = before < 2 ? 2 - before : 0; at < chunk.length; ) {
      const place = before + at;
      const step = place >= fineFrom && place < fineFrom + STEP ? FINE_STEP : STEP;
      let isBroken = false;
      try {
        // No chunk is marked as the last one: the library would then discard the data before a missing end.
        stream.push(chunk.subarray(at, at + step));
      } catch (error) {
        if (!isInflateError(error)) throw error;
        isBroken = true;
      }
      yield* given;
      if (isBroken) return place;
      silent = given.length > 0 ? 0 : silent + Math.min(step, chunk.length - at);
      if (silent > SILENT) return undefined;
      given = [];
      at += step;
    }
    before += chunk.length;
  }
  return undefined;
}

function* asciiHexChunks(input: Iterable<Uint8Array>, onDamage: OnDamage): Generator<Uint8Array> {
  let high = -1;
  for (const data of input) {
    const out = new Uint8Array((data.length + 2) >> 1);
    let length = 0;
    let isOver = false;
    for (const byte of data) {
      isOver = byte === 0x3e;
      if (isOver) break;
      const value = HEX_VALUE[byte] as number;
      if (value > 15) {
        if (CHARACTER_CLASS[byte] !== WHITE_SPACE) onDamage();
        continue;
      }
      if (high < 0) high = value << 4;
      else {
        out[length++] = high | value;
        high = -1;
      }
    }
    yield out.subarray(0, length);
    if (isOver) break;
  }
  if (high >= 0) yield Uint8Array.of(high);
}

function* ascii85Chunks(input: Iterable<Uint8Array>, onDamage: OnDamage): Generator<Uint8Array> {
  let group = 0;
  let count = 0;
  const bytesOf = (value: number, bytes: number) =>
    Uint8Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** (3 - index)) & 255);
  for (const chunk of input) {
    // A `z` decodes to four bytes, so the output may be four times as long as the input.
    for (let from = 0; from < chunk.length; from += ASCII85_STEP) {
      const data = chunk.subarray(from, from + ASCII85_STEP);
      const out = new Uint8Array(data.length * 4 + 4);
      let length = 0;
      const flush = () => {
        for (let index = 0; index < 4; index++) {
          out[length++] = Math.floor(group / 256 ** (3 - index)) & 255;
        }
        group = 0;
        count = 0;
      };
      let isOver = false;
      for (const byte of data) {
        isOver = byte === 0x7e;
        if (isOver) break;
        if (byte === 0x7a && count === 0) flush();
        else if (byte >= 0x21 && byte <= 0x75) {
          group = group * 85 + byte - 0x21;
          if (++count === 5) flush();
        } else if (CHARACTER_CLASS[byte] !== WHITE_SPACE) onDamage();
      }
      yield out.slice(0, length);
      if (!isOver) continue;
      if (count > 1) yield bytesOf(paddedGroup(group, count), count - 1);
      return;
    }
  }
  if (count > 1) yield bytesOf(paddedGroup(group, count), count - 1);
}

/** Returns the value of a last group of fewer than five characters. */
function paddedGroup(group: number, count: number): number {
  let padded = group;
  for (let pad = count; pad < 5; pad++) padded = padded * 85 + 84;
  return padded;
}

function* runLengthChunks(input: Iterable<Uint8Array>, onDamage: OnDamage): Generator<Uint8Array> {
  /**
   * `literal` is the number of bytes still to be copied. `repeated` is the number of copies of the next byte.
   */
  let literal = 0;
  let repeated = 0;
  for (const chunk of input) {
    for (let from = 0; from < chunk.length; from += RUN_STEP) {
      const data = chunk.subarray(from, from + RUN_STEP);
      const out: Uint8Array[] = [];
      for (let at = 0; at < data.length; ) {
        if (literal > 0) {
          const run = data.subarray(at, at + literal);
          out.push(run);
          literal -= run.length;
          at += run.length;
        } else if (repeated > 0) {
          out.push(new Uint8Array(repeated).fill(data[at++] as number));
          repeated = 0;
        } else {
          const length = data[at++] as number;
          if (length === 128) {
            yield concatBytes(out);
            return;
          }
          if (length < 128) literal = length + 1;
          else repeated = 257 - length;
        }
      }
      yield concatBytes(out);
    }
  }
  // The code for the end of the data is often missing. Only a run that is cut off shows that more is.
  if (literal > 0 || repeated > 0) onDamage();
}
