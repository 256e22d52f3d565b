import { afterAll, describe, expect, test } from "vitest";
import { EngineThread } from "../fuzz/engine-thread.ts";
import { PLACES, sharedListFile } from "../fuzz/hostile/shared-lists.ts";
import type { Dress, Sizes } from "../fuzz/hostile/shared-parts.ts";
import { NEW_PASSWORD, nameOf, type Operation } from "../fuzz/operations.ts";

/** The process may grow by this much: what it takes beside its heap, and garbage, count too. */
const GROWTH_LIMIT_BYTES = 600 * 1024 ** 2;
const SIZES: readonly Sizes[] = [
  { owners: 3000, entries: 60_000 },
  { owners: 60_000, entries: 3000 },
];
/** What grows with the number of owners is much larger than other files. */
const PACKED: readonly Sizes[] = [{ owners: 500, entries: 100_000 }];
const OPERATIONS: readonly (readonly [operation: Operation, dress: Dress])[] = [
  [{ kind: "protect", password: NEW_PASSWORD }, {}],
  [{ kind: "split", pages: "1", password: undefined }, {}],
  [{ kind: "split", pages: "all", password: undefined }, { packed: true }],
  [{ kind: "rewrite", password: undefined }, { packed: true }],
  [
    { kind: "unlock", password: "" },
    { packed: true, encrypted: true },
  ],
];

const engine = new EngineThread();
afterAll(() => engine.close());

describe("a list that many objects share takes at most 5 s of processor time and 600 MB", () => {
  test.each(Object.keys(PLACES))(
    "%s",
    async (place) => {
      const complaints: string[] = [];
      for (const sizes of /^(sections|object streams|bombs)/.test(place) ? PACKED : SIZES) {
        for (const [operation, dress] of OPERATIONS) {
          const input = sharedListFile(place, sizes, dress);
          const run = await engine.run({ operation, input, reread: false, outputs: 0, coverage: false });
          const { outcome, grown } = run;
          const what = `${nameOf(operation)}, ${sizes.owners} × ${sizes.entries}`;
          if (!["files", "typed error"].includes(outcome.kind)) complaints.push(`${what}: ${outcome.kind}`);
          if (grown > GROWTH_LIMIT_BYTES) complaints.push(`${what}: ${Math.round(grown / 1024 ** 2)} MB`);
        }
      }
      expect(complaints).toEqual([]);
    },
    600_000,
  );
});
