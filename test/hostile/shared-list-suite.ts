import { afterAll, describe, expect, test } from "vitest";
import { EngineThread } from "../fuzz/pdf/engine-thread.ts";
import { PLACES, sharedListFile } from "../fuzz/pdf/hostile/shared-lists.ts";
import type { Dress, Sizes } from "../fuzz/pdf/hostile/shared-parts.ts";
import { NEW_PASSWORD, nameOf, type Operation, splitPages } from "../fuzz/pdf/operations.ts";

/** The process may grow by this much: what it takes beside its heap, and garbage, count too. */
const GROWTH_LIMIT_BYTES = 600 * 1024 ** 2;
const USUAL: Sizes = { owners: 10_000, entries: 20_000 };
/** These grow with the owners by more than a few bytes. */
const PACKED: Sizes = { owners: 500, entries: 100_000 };
const FEW: Sizes = { owners: 3, entries: 3 };
const isPacked = (place: string) => /^(sections|object streams|bombs)/.test(place);
const HANG_LIMIT_MS = 600_000;

/** The engine needs up to 5 s on two cores of 2024. A slow machine gets six times as much. */
const CPU_LIMIT_MS = 30_000;

/** An operation, and how its file is written. */
type SharedListRun = readonly [operation: Operation, dress: Dress];

/** The operations on each place. */
const OPERATIONS: readonly SharedListRun[] = [
  [splitPages("1"), {}],
  [splitPages("1-"), { packed: true }],
  [splitPages("all"), { packed: true }],
  [{ kind: "split", by: { kind: "size", maxBytes: 5000 }, password: undefined }, { packed: true }],
  [{ kind: "protect", password: NEW_PASSWORD }, {}],
  [{ kind: "repair", password: undefined }, { packed: true }],
  [{ kind: "inspect", password: undefined }, {}],
  [
    { kind: "unlock", password: "" },
    { packed: true, encrypted: true },
  ],
  [{ kind: "clean", flatten: false, password: undefined }, {}],
  [{ kind: "clean", flatten: true, password: undefined }, { packed: true }],
];

/** Returns the operation with which `npm test` tries a place: another one for each of ten places. */
export function operationOf(place: string): SharedListRun {
  const run = OPERATIONS[Object.keys(PLACES).indexOf(place) % OPERATIONS.length];
  if (run === undefined) throw new Error(`there is no place ${place}`);
  return run;
}

/** Returns the other operations on a place. */
export function otherOperationsOf(place: string): readonly SharedListRun[] {
  return OPERATIONS.filter((run) => run !== operationOf(place));
}

/**
 * Describes what operations do with lists that many objects share. The file must not run anything else at the same time.
 *
 * @param operationsOn returns the operations that are tried on a place
 */
export function describeSharedLists(operationsOn: (place: string) => readonly SharedListRun[]): void {
  const engine = new EngineThread(CPU_LIMIT_MS);
  afterAll(() => engine.close());

  const run = (operation: Operation, input: Uint8Array) =>
    engine.run({ operation, input, reread: false, outputs: 0, coverage: false });

  describe("a list that many objects share takes at most 30 s of processor time and 600 MB", () => {
    test.each(Object.keys(PLACES))(
      "%s",
      async (place) => {
        const complaints: string[] = [];
        const sizes = isPacked(place) ? PACKED : USUAL;
        for (const [operation, dress] of operationsOn(place)) {
          const { outcome, grown } = await run(operation, sharedListFile(place, sizes, dress));
          const what = nameOf(operation);
          if (!["files", "typed error"].includes(outcome.kind)) complaints.push(`${what}: ${outcome.kind}`);
          if (grown > GROWTH_LIMIT_BYTES) complaints.push(`${what}: ${Math.round(grown / 1024 ** 2)} MB`);
        }
        expect(complaints).toEqual([]);
      },
      HANG_LIMIT_MS,
    );
  });

  describe("accepts a list of three entries that three objects share", () => {
    const places = Object.keys(PLACES).filter((place) => !/^bombs/.test(place));

    test.each(places)("%s", async (place) => {
      for (const [operation, dress] of operationsOn(place)) {
        const { outcome } = await run(operation, sharedListFile(place, FEW, dress));
        expect(outcome.kind, nameOf(operation)).toBe("files");
      }
    });
  });
}
