import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServedClient } from "../support/browsers/served-client.ts";
import {
  nestedFormsPdf,
  nestedFunctionsPdf,
  nestedMasksPdf,
  repeatedPagePdf,
} from "../support/fixtures/hostile-drawing.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";
import { memoryOf } from "../support/process-files.ts";
import type { DrawingCall, DrawingOutcome } from "./drawing-page.ts";

const LIMITS = { seconds: 75, megabytes: 1500, stillSeconds: 1.5 };
/** A hostile file, a call on it, and how the call ends. */
interface Case {
  readonly what: string;
  input(): Uint8Array<ArrayBuffer>;
  readonly call: DrawingCall;
  readonly outcome: string;
}

const POLL_MS = 50;
const MEGABYTE = 2 ** 20;

describe("a small hostile PDF in Chromium", () => {
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
  async function measure(bytes: Uint8Array<ArrayBuffer>, call: DrawingCall) {
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

  const REPEATED = "input_too_large repeated_pages";
  // Which limit is reached first depends on the machine.
  const ENDLESS = expect.stringMatching(/^input_too_large (memory_bytes|seconds)$/);
  const pageListed = (times: number) => () => repeatedPagePdf(times);
  const cases: readonly Case[] = [
    { what: "lists a page 200,000 times", input: pageListed(200_000), call: "png", outcome: REPEATED },
    { what: "lists a page 200,000 times", input: pageListed(200_000), call: "txt", outcome: REPEATED },
    { what: "lists a page 200,000 times", input: pageListed(200_000), call: "split", outcome: REPEATED },
    {
      what: "lists a page 9,000 times",
      input: pageListed(9000),
      call: "txt",
      outcome: "unsupported_conversion",
    },
    { what: "has nested forms", input: nestedFormsPdf, call: "png", outcome: ENDLESS },
    { what: "has nested forms", input: nestedFormsPdf, call: "txt", outcome: ENDLESS },
    { what: "has nested forms on 6 pages", input: () => nestedFormsPdf(6), call: "png", outcome: ENDLESS },
    { what: "has nested functions", input: nestedFunctionsPdf, call: "renderPages", outcome: ENDLESS },
    { what: "has nested masks", input: nestedMasksPdf, call: "png", outcome: ENDLESS },
  ];
  test.each(cases)("that $what ends soon ($call)", async ({ what, input, call, outcome }) => {
    const measured = await measure(input(), call);
    console.log(
      `${what}, ${call}: ${measured.outcome}, ${measured.seconds.toFixed(1)} s, ${Math.round(measured.megabytes)} MB, ` +
        `still ${measured.stillSeconds.toFixed(2)} s`,
    );
    expect(measured).toMatchObject({ outcome, nextCallWorks: true });
    expect(measured.seconds).toBeLessThan(LIMITS.seconds);
    expect(measured.megabytes).toBeLessThan(LIMITS.megabytes);
    expect(measured.stillSeconds).toBeLessThan(LIMITS.stillSeconds);
  });

  test("does not keep a sound PDF of 2,000 pages from becoming pictures", async () => {
    const { outcome, stillSeconds, nextCallWorks } = await measure(makePdf({ pages: 2000 }), "renderPages");
    expect({ outcome, nextCallWorks }).toEqual({ outcome: "done", nextCallWorks: true });
    expect(stillSeconds).toBeLessThan(LIMITS.stillSeconds);
  });
});
