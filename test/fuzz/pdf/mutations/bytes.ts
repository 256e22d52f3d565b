import type { Random } from "../../random.ts";

const TOKENS = [
  ...[
    "endobj\n",
    "endstream\n",
    "stream\n",
    "1 0 obj\n",
    "xref\n",
    "trailer\n<<",
    "startxref\n0\n",
    "%%EOF\n",
    "<<",
  ],
  ...[
    ">>",
    "[",
    "]",
    "(",
    ")",
    " R",
    "/Length 5",
    "/Type/ObjStm",
    "/Type/XRef",
    "/Type/Catalog",
    "obj",
    "%PDF-1.4\n",
  ],
];

/** Changes bytes and says how. What stands where in the file is no longer true afterwards. */
type ByteMutation = (bytes: Buffer, random: Random) => readonly [changed: Buffer, description: string];

const MUTATIONS: readonly ByteMutation[] = [
  (bytes, random) => {
    const changed = Buffer.from(bytes);
    const count = random.size(60);
    for (let flip = 0; flip < count; flip++) {
      const at = random.below(changed.length);
      changed[at] = random.chance(0.5) ? random.below(256) : (changed[at] ?? 0) ^ (1 << random.below(8));
    }
    return [changed, `${count} bytes changed`];
  },
  (bytes, random) => {
    const length = random.below(bytes.length);
    return [bytes.subarray(0, length), `cut off at ${length}`];
  },
  (bytes, random) => {
    const start = random.below(Math.min(bytes.length, 2000));
    return [bytes.subarray(start), `begins at ${start}`];
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
  (bytes, random) => {
    const at = random.below(bytes.length);
    const token = random.pick(TOKENS);
    const over = random.chance(0.5) ? token.length : 0;
    const changed = Buffer.concat([bytes.subarray(0, at), Buffer.from(token), bytes.subarray(at + over)]);
    return [changed, `${JSON.stringify(token)} at ${at}`];
  },
  (bytes, random) => {
    const digits = [...bytes.toString("latin1").matchAll(/\d+/g)];
    const found = random.pickAny(digits);
    if (!found) return [bytes, "no digits"];
    const value = String(Math.max(0, Number(found[0]) + random.pick([-1, 1, -16, 1000, 10 ** 9])));
    const own = value.slice(-found[0].length).padStart(found[0].length, "0");
    const changed = Buffer.from(bytes);
    changed.write(own, found.index, "latin1");
    return [changed, `${found[0]} at ${found.index} is ${own}`];
  },
  (bytes, random) => {
    const junk = Buffer.from(random.bytes(random.size(3000)));
    return [Buffer.concat([junk, bytes]), `${junk.length} bytes in front`];
  },
];

/** Changes a file's bytes some times over. */
export function mutateBytes(bytes: Uint8Array, random: Random): { bytes: Uint8Array; log: string[] } {
  const log: string[] = [];
  let changed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let count = random.between(1, 3); count > 0 && changed.length > 0; count--) {
    const [next, description] = random.pick(MUTATIONS)(changed, random);
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
