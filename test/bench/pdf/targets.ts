import type { InputName } from "./bench-inputs.ts";
import type { BenchOperation, ContestantName } from "./task.ts";

/**
 * How a contestant's time is taken: a call of a client that has worked a while, or its first; or what the browser takes
 * by itself where nothing is done with the file.
 */
export type Warmth = "warm" | "cold" | "idle";

/** A limit for the median time, in milliseconds or in relation to native qpdf's time in the same run. */
export type Limit = { readonly ratio: number } | { readonly milliseconds: number };

interface Target {
  readonly inputs: readonly InputName[];
  readonly operations: readonly BenchOperation[];
  readonly by: ContestantName;
  readonly warmth: Warmth;
  readonly limit: Limit;
}

const ALL = ["protect", "unlock", "split", "every page"] as const;
const SMALL_OBJECTS = ["objects", "object streams"] as const;

/** What Stayput is to reach. */
const TARGETS: readonly Target[] = [
  target(["scan"], ["protect"], "chromium", { ratio: 0.9 }),
  target(["scan"], ["unlock"], "chromium", { ratio: 0.8 }),
  target(["scan"], ["protect"], "node", { ratio: 0.7 }),
  target(["scan"], ["unlock"], "node", { ratio: 0.5 }),
  target(SMALL_OBJECTS, ["protect", "unlock"], "chromium", { ratio: 0.35 }),
  target(SMALL_OBJECTS, ["split"], "chromium", { ratio: 0.05 }),
  target(SMALL_OBJECTS, ["every page"], "chromium", { ratio: 0.2 }),
  target(["document"], ["protect"], "chromium", { milliseconds: 15 }),
  target(["document"], ["unlock"], "chromium", { milliseconds: 10 }),
  target(["document"], ["split"], "chromium", { milliseconds: 5 }),
  target(["document"], ALL, "chromium", { milliseconds: 300 }, "cold"),
];

/** How much the renderer's memory may grow over what it is before the work, whatever the input. */
export const RENDERER_GROWTH_LIMIT_BYTES = 200_000_000;

function target(
  inputs: readonly InputName[],
  operations: readonly BenchOperation[],
  by: ContestantName,
  limit: Limit,
  warmth: Warmth = "warm",
): Target {
  return { inputs, operations, by, warmth, limit };
}

/** The limit that is set for this, if one is. */
export function limitFor(
  input: InputName,
  operation: BenchOperation,
  by: ContestantName,
  warmth: Warmth,
): Limit | undefined {
  return TARGETS.find(
    (one) =>
      one.by === by &&
      one.warmth === warmth &&
      one.inputs.includes(input) &&
      one.operations.includes(operation),
  )?.limit;
}
