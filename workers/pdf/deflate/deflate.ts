import { zlibSync } from "fflate";
import { writeBlock } from "./block.ts";
import { Matches } from "./matches.ts";

/** What is longer is left to the library, whose tables then cost little. */
const SHORT = 0xffff;
const ADLER = 65521;
/** So many bytes are added up before a sum could grow beyond 32 bits. */
const ADLER_RUN = 3800;

let room: { readonly matches: Matches; readonly out: Uint8Array } | undefined;

/**
 * Deflates data (RFC 1950). A document in object streams that is split has thousands of short ones, for each of which
 * the library would make 230 KB of tables: here they are used again, which takes a third of the time.
 */
export function deflated(data: Uint8Array): Uint8Array {
  if (data.length > SHORT) return zlibSync(data);
  room ??= { matches: new Matches(SHORT), out: new Uint8Array(SHORT + 1024) };
  const { matches, out } = room;
  matches.find(data);
  out[0] = 0x78;
  out[1] = 0x9c;
  let at = writeBlock(data, matches, out, 2);
  const sum = adler32(data);
  for (let shift = 24; shift >= 0; shift -= 8) out[at++] = sum >>> shift;
  return out.slice(0, at);
}

function adler32(data: Uint8Array): number {
  let one = 1;
  let other = 0;
  for (let at = 0; at < data.length; ) {
    for (const end = Math.min(data.length, at + ADLER_RUN); at < end; at++) {
      one += data[at] as number;
      other += one;
    }
    one %= ADLER;
    other %= ADLER;
  }
  return other * 65536 + one;
}
