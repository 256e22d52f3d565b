import type { Random } from "./random.ts";

/** Changes bytes and says how. Known positions in the file are no longer true afterwards. */
export type ByteMutation = (bytes: Buffer, random: Random) => readonly [changed: Buffer, description: string];

/** Gives some bytes another value. Most else stays readable. */
export const changeBytes: ByteMutation = (bytes, random) => {
  const changed = Buffer.from(bytes);
  const count = random.size(60);
  for (let flip = 0; flip < count; flip++) {
    const at = random.below(changed.length);
    changed[at] = random.chance(0.5) ? random.below(256) : (changed[at] ?? 0) ^ (1 << random.below(8));
  }
  return [changed, `${count} bytes changed`];
};

/** Changes that make sense in a file of any format. */
export const BYTE_MUTATIONS: readonly ByteMutation[] = [
  changeBytes,
  (bytes, random) => {
    const length = random.below(bytes.length);
    return [bytes.subarray(0, length), `cut off at ${length}`];
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random);
    return [Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]), `${from} to ${to} left out`];
  },
  (bytes, random) => {
    const [from, to] = range(bytes, random);
    const at = random.below(bytes.length);
    const times = random.chance(0.2) ? random.size(2 ** 21 / (to - from + 1)) : 1;
    const chunk = Buffer.concat(Array.from({ length: times }, () => bytes.subarray(from, to)));
    const changed = Buffer.concat([bytes.subarray(0, at), chunk, bytes.subarray(at)]);
    return [changed, `${from} to ${to} again at ${at}, ${times} times`];
  },
];

/** Changes bytes one to three times. */
export function mutateBytes(
  bytes: Uint8Array,
  random: Random,
  mutations: readonly ByteMutation[] = BYTE_MUTATIONS,
): { bytes: Uint8Array; log: string[] } {
  const log: string[] = [];
  let changed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let count = random.between(1, 3); count > 0 && changed.length > 0; count--) {
    const [next, description] = random.pick(mutations)(changed, random);
    changed = next;
    log.push(description);
  }
  return { bytes: changed, log };
}

/** Puts a piece of another file into one. */
export function splice(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  const [from, to] = range(other, random);
  const at = random.below(bytes.length);
  const behind = random.chance(0.5) ? at : Math.min(bytes.length, at + to - from);
  return Buffer.concat([bytes.subarray(0, at), other.subarray(from, to), bytes.subarray(behind)]);
}

function range(bytes: Uint8Array, random: Random): readonly [number, number] {
  const from = random.below(bytes.length);
  return [from, Math.min(bytes.length, from + random.size(20_000))];
}
