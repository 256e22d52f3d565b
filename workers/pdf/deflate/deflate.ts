import { zlibSync } from "fflate";
import { adler32 } from "../../io/adler32.ts";
import { BitWriter } from "./bit-writer.ts";
import { mostBytes, writeBlocks } from "./block.ts";
import { Matches } from "./matches.ts";

/** What is longer is left to the library: its tables then cost little, and it finds more. */
const SHORT = 0xffff;
/** A window of 32 KB, the lower byte first. */
const HEADER = 0x9c78;
const FRAME_BYTES = 6;

let tables: { readonly matches: Matches; readonly bits: BitWriter } | undefined;

/**
 * Deflates data (RFC 1950). A document in object streams that is split has thousands of short ones, for each of which
 * the library would make 230 KB of tables: here they are used again, which takes a third of the time.
 */
export function deflated(data: Uint8Array): Uint8Array {
  if (data.length > SHORT) return zlibSync(data);
  tables ??= { matches: new Matches(), bits: new BitWriter() };
  const { matches, bits } = tables;
  bits.reserve(mostBytes(SHORT) + FRAME_BYTES);
  bits.write(HEADER, 16);
  writeBlocks({ data, start: 0, end: data.length, matches }, true, bits);
  matches.dropFirst(data.length);
  bits.number(adler32(data));
  return bits.take();
}
