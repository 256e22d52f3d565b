import { unzlibSync, zlibSync } from "fflate";
import { concatBytes } from "../../support/fixtures/image/bytes.ts";
import { BYTE_MUTATIONS, changeBytes, mutateBytes, splice } from "../mutate-bytes.ts";
import type { Random } from "../random.ts";
import type { Mutation } from "../target.ts";
import { type Chunk, type Chunks, readChunks, writeChunks } from "./chunks.ts";

/** Numbers at which readers fail: sizes, counts and offsets. */
const NUMBERS = [0, 1, 2, 7, 8, 0x7f, 0xff, 0x100, 0x3fff, 0x4000, 0x7fff, 0xffff, 0x1_0000];
const LARGE_NUMBERS = [0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1000_0000, 0xff_ffff];
/** Mostly such that the decoders get far. */
const GENTLE = [...Array.from({ length: 8 }, () => changeBytes), ...BYTE_MUTATIONS];
const LARGEST_INPUT = 4 * 1024 * 1024;

/** Changes an image some times. Returns it with the changes. */
export function mutateImage(
  bytes: Uint8Array,
  other: Uint8Array,
  random: Random,
): { bytes: Uint8Array; log: string[] } {
  const log: string[] = [];
  let changed = bytes;
  const chunks = random.chance(0.75) ? readChunks(bytes) : undefined;
  if (chunks) {
    const donor = readChunks(other);
    const mutations = donor ? [...CHUNK_MUTATIONS, foreignChunk(donor)] : CHUNK_MUTATIONS;
    for (let count = random.pick([1, 1, 1, 1, 2, 3, 5]); count > 0; count--) {
      const description = random.pick(mutations)(chunks, random);
      if (description !== undefined) log.push(description);
    }
    changed = writeChunks(chunks);
  }
  if (log.length === 0 || random.chance(0.1)) {
    const mutated = random.chance(0.3) ? withNumber(changed, random) : mutateBytes(changed, random, GENTLE);
    changed = mutated.bytes;
    log.push(...mutated.log);
  }
  if (changed.length > 0 && random.chance(0.03)) {
    changed = splice(changed, other, random);
    log.push("a piece of another file inside");
  }
  return { bytes: changed.subarray(0, LARGEST_INPUT), log };
}

/** All chunks, with the list that each is in. */
function placesOf(chunks: Chunk[]): { chunk: Chunk; list: Chunk[] }[] {
  return chunks.flatMap((chunk) => [{ chunk, list: chunks }, ...placesOf(chunk.children)]);
}

function sizeOf({ data, children }: Chunk): number {
  return data.length + children.reduce((sum, child) => sum + sizeOf(child), 0);
}

const CHUNK_MUTATIONS: readonly Mutation<Chunks>[] = [
  ...Array.from({ length: 6 }, () => changedData),
  ...Array.from({ length: 6 }, () => changedNumber),
  ...Array.from({ length: 3 }, () => changedPixels),
  wrongLength,
  otherName,
  ({ chunks }, random) => {
    const place = random.pickAny(placesOf(chunks));
    if (!place) return undefined;
    place.list.splice(place.list.indexOf(place.chunk), 1);
    return `${place.chunk.name} left out`;
  },
  ({ chunks }, random) => {
    const place = random.pickAny(placesOf(chunks));
    if (!place) return undefined;
    const most = Math.min(3000, LARGEST_INPUT / (1 + sizeOf(place.chunk)));
    const times = random.pick([1, 1, 2, Math.max(1, random.size(most))]);
    const copies = Array.from({ length: times }, () => ({ ...place.chunk }));
    place.list.splice(random.below(place.list.length + 1), 0, ...copies);
    return `${place.chunk.name} ${times} times more`;
  },
  ({ chunks }, random) => {
    const place = random.pickAny(placesOf(chunks));
    if (!place) return undefined;
    const { chunk, list } = place;
    list.splice(list.indexOf(chunk), 1);
    list.splice(random.below(list.length + 1), 0, chunk);
    return `${chunk.name} at another place`;
  },
];

function changedData({ chunks }: Chunks, random: Random): string | undefined {
  const chunk = random.pickAny(placesOf(chunks))?.chunk;
  if (!chunk || chunk.data.length === 0) return undefined;
  const { bytes, log } = mutateBytes(chunk.data, random, GENTLE);
  chunk.data = bytes;
  return `${chunk.name}: ${log.join(", ")}`;
}

function changedNumber({ chunks }: Chunks, random: Random): string | undefined {
  const chunk = random.pickAny(placesOf(chunks))?.chunk;
  if (!chunk || chunk.data.length === 0) return undefined;
  const { bytes, log } = withNumber(chunk.data, random);
  chunk.data = bytes;
  return `${chunk.name}: ${log.join(", ")}`;
}

/** Changes the rows of a PNG before they are compressed. */
function changedPixels(file: Chunks, random: Random): string | undefined {
  const isPixels = ({ name }: Chunk) => name === "IDAT";
  const first = file.chunks.findIndex(isPixels);
  if (file.kind !== "png" || first < 0) return undefined;
  let rows: Uint8Array;
  try {
    rows = unzlibSync(concatBytes(file.chunks.filter(isPixels).map(({ data }) => data)));
  } catch {
    // Another change came before this one.
    return undefined;
  }
  const { bytes, log } = mutateBytes(rows, random, GENTLE);
  file.chunks = file.chunks.filter((chunk) => !isPixels(chunk));
  file.chunks.splice(first, 0, { name: "IDAT", data: zlibSync(bytes), children: [] });
  return `rows: ${log.join(", ")}`;
}

function wrongLength({ chunks }: Chunks, random: Random): string | undefined {
  const chunk = random.pickAny(placesOf(chunks))?.chunk;
  if (!chunk) return undefined;
  const near = Math.max(0, chunk.data.length + random.pick([-8, -1, 1, 2, 8, 9, 1000]));
  chunk.statedLength = random.pick([near, near, ...NUMBERS, ...LARGE_NUMBERS]);
  return `${chunk.name} states ${chunk.statedLength} bytes`;
}

function otherName({ chunks, kind }: Chunks, random: Random): string | undefined {
  const places = placesOf(chunks);
  const chunk = random.pickAny(places)?.chunk;
  if (!chunk) return undefined;
  const known = random.pick(places).chunk.name;
  const any = kind === "jpeg" ? (0xc0 + random.below(0x40)).toString(16) : "junk";
  const before = chunk.name;
  chunk.name = random.chance(0.7) ? known : any;
  return `${before} is called ${chunk.name}`;
}

/** Puts a chunk of another file of this kind into a file. */
function foreignChunk(donor: Chunks): Mutation<Chunks> {
  return ({ kind, chunks }, random) => {
    const chunk = random.pickAny(placesOf(donor.chunks))?.chunk;
    const list = random.pickAny(placesOf(chunks))?.list;
    if (kind !== donor.kind || !chunk || !list) return undefined;
    list.splice(random.below(list.length + 1), 0, chunk);
    return `${chunk.name} of another file`;
  };
}

/** Writes a number over the bytes at some place. */
function withNumber(bytes: Uint8Array, random: Random): { bytes: Uint8Array; log: string[] } {
  const changed = Uint8Array.from(bytes);
  const width = random.pick([1, 2, 4].filter((one) => one <= changed.length));
  // Headers are at the beginning.
  const reach = random.chance(0.6) ? Math.min(changed.length, 64) : changed.length;
  const at = random.below(Math.max(1, reach - width + 1));
  const view = new DataView(changed.buffer);
  const littleEndian = random.chance(0.5);
  const value = random.pick(width === 4 ? [...NUMBERS, ...LARGE_NUMBERS] : NUMBERS);
  if (width === 1) view.setUint8(at, value);
  else if (width === 2) view.setUint16(at, value, littleEndian);
  else view.setUint32(at, value, littleEndian);
  return { bytes: changed, log: [`${value} in ${width} bytes at ${at}`] };
}
