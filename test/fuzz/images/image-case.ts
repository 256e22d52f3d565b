import type { PageCall } from "../browser/fuzz-page.ts";
import { Random } from "../random.ts";
import type { MutatedInput } from "../target.ts";
import { mutateImage } from "./mutations.ts";
import type { ImageSeed, PlainPair } from "./seeds.ts";

/** One mutated image and the call on it. */
export interface ImageCase extends MutatedInput {
  readonly call: PageCall;
  readonly plain: PlainPair;
  /** Whether the call runs again after a red picture, and after a green one. */
  readonly isCompared: boolean;
}

const OUTPUTS = ["png", "png", "png", "jpg", "jpg", "webp", "webp", "avif", "pdf"] as const;
/** Files whose bytes depend on the input only. A PDF has a random identifier. */
const REPEATABLE: readonly unknown[] = ["png", "jpg", "webp", "avif"];

/** Returns the case that a seed number and an index determine. */
export function makeImageCase(seeds: readonly ImageSeed[], seedNumber: number, index: number): ImageCase {
  const random = new Random(seedNumber, index);
  const seed = random.pick(seeds);
  const { bytes, log } = mutateImage(seed.bytes, random.pick(seeds).bytes, random);
  const call = callBy(random);
  const isRepeatable = call.method === "convert" && REPEATABLE.includes(call.fields.output_format);
  return {
    index,
    input: bytes,
    log: [seed.name, ...log, JSON.stringify(call)],
    call,
    plain: seed.plain,
    isCompared: isRepeatable && random.chance(0.25),
  };
}

function callBy(random: Random): PageCall {
  if (random.chance(0.1)) return { method: "inspect", fields: {} };
  const to = random.pick(OUTPUTS);
  const isLossy = to !== "png" && to !== "pdf";
  return {
    method: "convert",
    fields: {
      output_format: to,
      ...(to !== "pdf" && random.chance(0.3) && { max_width: random.pick([1, 16, 33]) }),
      ...(to !== "png" && random.chance(0.3) && { quality: random.pick([0, 0.5, 0.8, 1]) }),
      ...(isLossy && random.chance(0.1) && { max_bytes: random.pick([100, 2000]) }),
      ...(to !== "avif" && random.chance(0.3) && { keep_metadata: true }),
      ...(random.chance(0.2) && { background: "blue" }),
      ...(random.chance(0.1) && { pages: random.pick(["1", "last", "1-"]) }),
    },
  };
}
