import { partOf } from "../../io/file-bytes.ts";
import { Cursor, damagedHeif } from "./cursor.ts";

/** A box (ISO/IEC 14496-12): a type and a body, which holds values or more boxes. */
export interface Box {
  readonly type: string;
  readonly body: Cursor;
}

/** A full box starts with a version and flags. */
interface FullBox {
  readonly version: number;
  readonly flags: number;
}

/** The place of a top-level box in the file. */
export interface BoxPlace {
  readonly type: string;
  /** The start of the body, after type and length. */
  readonly start: number;
  readonly end: number;
}

const MAX_BOXES_IN_A_BOX = 100_000;
const MAX_BOXES_IN_A_FILE = 10_000;
const LONGEST_HEADER = 16;

/** Yields the boxes in a body, in order. */
export function* boxesIn(body: Cursor): Generator<Box> {
  // Some writers leave padding that is shorter than a header.
  for (let count = 0; body.left >= 8; count++) {
    if (count === MAX_BOXES_IN_A_BOX) throw damagedHeif("it holds too many boxes");
    const available = body.left;
    const { type, length, header } = readHeader(body, available);
    if (length > available) throw damagedHeif(`its ${printable(type)} box is cut off`);
    yield { type, body: body.part(length - header) };
  }
}

/** Reads the version and the flags of a full box. */
export function fullBox(body: Cursor): FullBox {
  const word = body.u32();
  return { version: word >>> 24, flags: word & 0xffffff };
}

/** Yields the top-level boxes of a file. Reads a few bytes for each. */
export async function* boxesOf(file: Blob): AsyncGenerator<BoxPlace> {
  let at = 0;
  for (let count = 0; at + 8 <= file.size; count++) {
    if (count === MAX_BOXES_IN_A_FILE) throw damagedHeif("it holds too many boxes");
    const head = new Cursor(await partOf(file, at, Math.min(at + LONGEST_HEADER, file.size)), at);
    const { type, length, header } = readHeader(head, file.size - at);
    yield { type, start: at + header, end: Math.min(at + length, file.size) };
    at += length;
  }
}

/** Returns the type of a box for a message. A damaged type may hold anything. */
export function printable(type: string): string {
  return /^[\x21-\x7e]{4}$/.test(type) ? `“${type}”` : "unnamed";
}

function readHeader(cursor: Cursor, available: number) {
  const start = cursor.position;
  const short = cursor.u32();
  const type = cursor.fourCC();
  // A length of 1 announces a 64-bit length after the type. A length of 0 means up to the end.
  const length = short === 1 ? cursor.u64() : short === 0 ? available : short;
  const header = cursor.position - start;
  if (length < header) throw damagedHeif(`its ${printable(type)} box has an impossible length`);
  return { type, length, header };
}
