import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { type AttackCase, attackFiles } from "./attack-table.ts";
import { AttackedTab, type AttackOperation, type Measured } from "./attacked-tab.ts";
import type { ImageAttack } from "./image-attacks.ts";

/** The limits of an attack: seconds of a usual machine, and memory of the page's process. */
const LIMITS = { seconds: 10, megabytes: 600 };
/** Past these limits, the test ends the tab and begins the next case. */
const KILL = { seconds: 180, megabytes: 2048 };
/** One case runs up to six operations, each of which may take up to the kill limit. */
const TEST_LIMIT_MS = 30 * 60_000;
const ABORT_AFTER_MS = 1000;

/** Attacks, and the operations on each PDF. */
interface Attacks {
  readonly pdfs: readonly AttackCase[];
  readonly operations: readonly AttackOperation[];
  readonly images: readonly ImageAttack[];
}

/** Describes what attacks do to a tab of Chromium with the built package. */
export function describeAttacks({ pdfs, operations, images }: Attacks): void {
  let tab: AttackedTab;
  let slowness = 1;

  beforeAll(async () => {
    tab = await AttackedTab.start(join(ROOT, "dist"), KILL);
    slowness = await tab.slowness();
  });
  afterAll(() => tab.close());

  describe("a small hostile PDF takes at most 10 s and 600 MB, and the next call works", () => {
    test.each(pdfs)(
      "$name",
      async (attackCase) => {
        const complaints: string[] = [];
        for (const { operation, input } of attackFiles(attackCase, (one) => operations.includes(one))) {
          // Each file gets a new tab. V8 frees the objects of one call late, so they would count for the next
          // calls.
          await tab.renew();
          complaints.push(...complaintsAbout(operation, await tab.suffer({ input, operation }), slowness));
        }
        expect(complaints).toEqual([]);
      },
      TEST_LIMIT_MS,
    );
  });

  describe("a small hostile image stays within its limits, and the next call works", () => {
    const attacks = images.flatMap((attack) =>
      attack.operations.map((operation) => ({ ...attack, operation })),
    );

    test.each(attacks)(
      "$name to $operation",
      async ({ input, operation, limits }) => {
        await tab.renew();
        const measured = await tab.suffer({ input: input(), operation });
        expect(complaintsAbout(operation, measured, slowness, limits)).toEqual([]);
      },
      TEST_LIMIT_MS,
    );

    test.each(attacks)(
      "$name to $operation can be aborted",
      async ({ input, operation, limits }) => {
        await tab.renew();
        const measured = await tab.suffer({ input: input(), operation, abortAfterMs: ABORT_AFTER_MS });
        expect(complaintsAbout(operation, measured, slowness, limits)).toEqual([]);
        // The call may have settled before the abort.
        expect(measured.outcome).toMatch(/^TimeoutError|^\d+ bytes$|^[a-z]+_[a-z_]+$/);
      },
      TEST_LIMIT_MS,
    );
  });
}

/** Returns the exceeded limits and other failures of an attack, in words. */
function complaintsAbout(
  operation: AttackOperation,
  measured: Measured,
  slowness: number,
  limits = LIMITS,
): readonly string[] {
  const { outcome, seconds, cpuSeconds, megabytes, nextCallWorks } = measured;
  // A busy machine increases the elapsed time, and several threads increase the processor time. The test uses
  // the smaller one.
  const worked = (cpuSeconds > 0 ? Math.min(seconds, cpuSeconds) : seconds) / slowness;
  const figures = `${worked.toFixed(1)} s, ${Math.round(megabytes)} MB, ${outcome}`;
  const isAnswer = /^\d+ bytes$|^[a-z]+_[a-z_]+$|^TimeoutError/.test(outcome) && outcome !== "internal_error";
  const broken = [
    ...(isAnswer ? [] : ["no result and no error of the table"]),
    ...(worked > limits.seconds ? [`over ${limits.seconds} s`] : []),
    ...(megabytes > limits.megabytes ? [`over ${limits.megabytes} MB`] : []),
    ...(nextCallWorks ? [] : ["the next call fails"]),
  ];
  return broken.map((complaint) => `${operation}: ${complaint} (${figures})`);
}
