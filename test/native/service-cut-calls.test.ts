import { existsSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { buildServiceOnce, SERVICE_PROGRAM } from "../../scripts/built.mjs";
import { eventually } from "../support/eventually.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { Scratch } from "../support/native-tools.ts";
import { openFilesOf } from "../support/process-files.ts";
import { COPY_KEY, ServiceCopy } from "../support/service-copy.ts";

// Callers that go at any moment of a call that draws a page: while its thread starts, loads and compiles, and while it works.
// Without measures, V8 crashed within 60 calls, and files of the package stayed open.

const CALLS = 150;

const scratch = new Scratch();
beforeAll(buildServiceOnce);
afterAll(() => scratch.remove());

/** Converts a page to PNG. Rejects with a `TimeoutError` after the given time. */
async function draw(url: string, milliseconds: number): Promise<number> {
  const body = new FormData();
  body.append("file", new File([makePdf({ pages: 2 })], "report.pdf"));
  for (const [name, value] of Object.entries({ output_format: "png", pages: "1", dpi: "36" }))
    body.append(name, value);
  const headers = { Authorization: `Bearer ${COPY_KEY}` };
  const signal = AbortSignal.timeout(milliseconds);
  const { status } = await fetch(`${url}/api/convert`, { method: "POST", headers, body, signal });
  return status;
}

test.skipIf(!existsSync("/proc/self/fd"))(
  "callers that go end no process, and leave no file open",
  async () => {
    const folders = { results: scratch.path("results"), temporary: scratch.path("temporary") };
    const copy = await ServiceCopy.start(folders, [], [SERVICE_PROGRAM]);
    onTestFinished(async () => void (await copy.end("SIGKILL")));
    expect(await draw(copy.url, 600_000)).toBe(200);
    const begin = performance.now();
    expect(await draw(copy.url, 600_000)).toBe(200);
    const whole = performance.now() - begin;
    let cut = 0;
    for (let call = 0; call < CALLS; call++) {
      const outcome = await draw(copy.url, Math.round((whole * call) / CALLS)).catch(
        (thrown: Error) => thrown.name,
      );
      expect([200, "TimeoutError"]).toContain(outcome);
      if (outcome === "TimeoutError") cut++;
    }
    expect(cut).toBeGreaterThan(0);
    await eventually(() => expect([...openScripts(copy.pid), ...copy.calls]).toEqual([]));
    expect(await draw(copy.url, 600_000)).toBe(200);
  },
);

/** The open files of a process that are of the package. */
function openScripts(pid: number): string[] {
  return openFilesOf(pid).filter((path) => /\.(js|wasm)$/.test(path));
}
