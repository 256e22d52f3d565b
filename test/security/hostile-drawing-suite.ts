import { afterAll, beforeAll, expect, test } from "vitest";
import { ServedClient } from "../support/browsers/served-client.ts";
import { Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";
import { memoryOf } from "../support/process-files.ts";
import type { DrawingCall, DrawingOutcome } from "./drawing-page.ts";

/** A hostile file, a call on it, and how the call ends. */
export interface Case {
  readonly what: string;
  input(): Uint8Array<ArrayBuffer>;
  readonly call: DrawingCall;
  readonly outcome: string;
}

/** The outcome of a call, and the memory of all processes above that before the call, in megabytes. */
type Measured = DrawingOutcome & { readonly megabytes: number };

/** How a call ends that reaches a limit. Which one is reached first depends on the machine. */
export const ENDLESS = expect.stringMatching(/^input_too_large (memory_bytes|seconds)$/);

const MOST_MEGABYTES = 1500;
const POLL_MS = 50;
const MEGABYTE = 2 ** 20;

/**
 * Tests that each case ends as it should, and that the next call works. Measures memory.
 *
 * @param check checks the times, where nothing else runs on the machine
 * @returns what measures another call
 */
export function testHostileDrawings(
  cases: readonly Case[],
  check: (measured: Measured) => void = () => {},
): (bytes: Uint8Array<ArrayBuffer>, call: DrawingCall) => Promise<Measured> {
  const scratch = new Scratch();
  let served: ServedClient;

  beforeAll(async () => {
    served = await ServedClient.start();
  });
  afterAll(async () => {
    await served.close();
    scratch.remove();
  });

  const megabytes = async () => {
    const ids = await served.processIds();
    return ids.reduce((sum, pid) => sum + memoryOf(pid), 0) / MEGABYTE;
  };

  /** Runs a call. Returns its outcome, and the memory of all processes above that before the call. */
  async function measure(bytes: Uint8Array<ArrayBuffer>, call: DrawingCall): Promise<Measured> {
    const page = await served.open("test/security/drawing-page.ts");
    const url = served.share(onDisk(scratch, bytes, "hostile.pdf"));
    const before = await megabytes();
    let peak = before;
    let isOver = false;
    const watch = async () => {
      while (!isOver) {
        peak = Math.max(peak, await megabytes());
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    };
    const watching = watch();
    const outcome: DrawingOutcome = await page.evaluate(([from, kind]) => window.callOn(from, kind), [
      url,
      call,
    ] as const);
    isOver = true;
    await watching;
    await page.close();
    return { ...outcome, megabytes: peak - before };
  }

  test.each(cases)("that $what ends soon ($call)", async ({ what, input, call, outcome }) => {
    const measured = await measure(input(), call);
    console.log(
      `${what}, ${call}: ${measured.outcome}, ${measured.seconds.toFixed(1)} s, ${Math.round(measured.megabytes)} MB, ` +
        `still ${measured.stillSeconds.toFixed(2)} s`,
    );
    expect(measured).toMatchObject({ outcome, nextCallWorks: true });
    expect(measured.megabytes).toBeLessThan(MOST_MEGABYTES);
    check(measured);
  });
  return measure;
}
