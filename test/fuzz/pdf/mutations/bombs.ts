import { constants, deflateRawSync, deflateSync } from "node:zlib";
import type { Random } from "../../random.ts";
import { ENCODERS } from "../encoders.ts";

/** Data that unpacks to far more than it is. */
export interface Bomb {
  readonly filters: readonly string[];
  readonly data: Uint8Array;
  readonly description: string;
}

const MEGABYTE = 1 << 20;
/** What the data unpacks to: content, the head of an object stream, cross-reference rows, nothing much. */
const FILLINGS = [
  "\0",
  " ",
  "q Q ",
  "/A Do ",
  "1 0 ",
  "[",
  "<<>>",
  "(",
  "/AAAA",
  "/a1 x ",
  "z",
  "x\x9c",
  "<xmp:Thumbnails>",
];
/** Bombs cost more to make than to throw. */
const made = new Map<string, Bomb>();

/** One of a bounded number of bombs of up to 300 MB. */
export function bomb(random: Random): Bomb {
  const filling = random.pick(FILLINGS);
  const megabytes = random.pick([1, 8, 8, 30, 30, 120, 300]);
  const shape = random.pick([
    "Flate",
    "Flate",
    "Flate Flate",
    "Flate ASCII85",
    "Flate RunLength",
    "Flate LZW",
  ]);
  const key = `${shape} of ${megabytes} MB of ${JSON.stringify(filling)}`;
  const known = made.get(key);
  if (known) return known;
  const bomb = { ...packed(shape, filling, megabytes), description: key };
  made.set(key, bomb);
  return bomb;
}

function packed(shape: string, filling: string, megabytes: number): Pick<Bomb, "filters" | "data"> {
  const plain = Buffer.alloc(MEGABYTE, filling, "latin1");
  if (shape === "Flate") return { filters: ["/FlateDecode"], data: repeated(plain, megabytes) };
  const inner = shape.split(" ")[1] ?? "Flate";
  const filters = ["/FlateDecode", `/${inner}Decode`];
  const encode = ENCODERS[`${inner}Decode`];
  if (inner === "Flate" || !encode) return { filters, data: deflateSync(repeated(plain, megabytes)) };
  // Without its end the code of one megabyte is that of many when repeated.
  const code = Buffer.from(encode(plain));
  return { filters, data: repeated(code.subarray(0, Math.max(1, code.length - 2)), megabytes) };
}

/** A block many times over, deflated: blocks that a full flush ends can stand one behind the other. */
export function repeated(block: Uint8Array, times: number): Buffer {
  const once = deflateRawSync(block, { finishFlush: constants.Z_FULL_FLUSH });
  const [header, end] = [Buffer.from([0x78, 0x9c]), Buffer.from([0x03, 0x00])];
  return Buffer.concat([header, ...Array.from({ length: times }, () => once), end]);
}
