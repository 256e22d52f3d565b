import { BYTE_MUTATIONS, type ByteMutation } from "../../mutate-bytes.ts";

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

/** Changes to the bytes of a PDF. */
export const PDF_BYTE_MUTATIONS: readonly ByteMutation[] = [
  ...BYTE_MUTATIONS,
  (bytes, random) => {
    const start = random.below(Math.min(bytes.length, 2000));
    return [bytes.subarray(start), `begins at ${start}`];
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
