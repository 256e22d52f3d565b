import { existsSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, test, vi } from "vitest";
import { eventually } from "../support/eventually.ts";
import { Scratch } from "../support/native-tools.ts";
import { readProcess } from "../support/process-files.ts";
import {
  CONVERSION,
  errorOf,
  jobFolders,
  officeScript,
  postForm,
  startService,
} from "../support/started-service.ts";

// How the service runs LibreOffice.

const scratch = new Scratch();
afterAll(() => scratch.remove());

describe("LibreOffice", () => {
  test("is killed with its child processes after the time limit", async () => {
    const pids = scratch.path("pids");
    const soffice = officeScript(`tail -f /dev/null & echo $$ $! > ${pids}; wait`);
    const service = await startService({ soffice, timeLimit: 2_000 });
    expect(await errorOf(await postForm(service))).toEqual([504, "timeout", { timeout: 2_000 }]);
    const started = readFileSync(pids, "utf8").trim().split(" ").map(Number);
    expect(started).toHaveLength(2);
    await eventually(() => expect(started.filter(isRunning)).toEqual([]));
    expect(jobFolders(service)).toEqual([]);
  });

  test("is killed when the caller disconnects", async () => {
    const pids = scratch.path("pids");
    const service = await startService({
      soffice: officeScript(`echo $$ > ${pids}; exec tail -f /dev/null`),
    });
    const controller = new AbortController();
    const call = postForm(service, undefined, { signal: controller.signal });
    await eventually(() => expect(readFileSync(pids, "utf8").trim()).not.toBe(""));
    controller.abort();
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
    await eventually(() => expect(isRunning(Number(readFileSync(pids, "utf8")))).toBe(false));
    await eventually(() => expect(jobFolders(service)).toEqual([]));
  });

  test("that makes no file means damaged_file", async () => {
    const service = await startService({
      soffice: officeScript('echo "Error: source file could not be loaded" >&2; exit'),
    });
    const [status, code] = await errorOf(await postForm(service));
    expect([status, code]).toEqual([422, "damaged_file"]);
  });

  test.each(["kill -9 $$", "sh -c 'kill -9 $$'; exit $?"])(
    "that the system kills means out_of_memory: %s",
    async (body) => {
      const service = await startService({ soffice: officeScript(body) });
      const [, code] = await errorOf(await postForm(service));
      expect(code).toBe("out_of_memory");
    },
  );

  test.each([
    ["max_width", "100"],
    ["max_height", "100"],
  ])("makes no document with the field %s, which is for images", async (parameter, value) => {
    const service = await startService({ soffice: officeScript() });
    const answer = await postForm(service, { ...CONVERSION, [parameter]: value });
    expect(await errorOf(answer)).toEqual([400, "invalid_parameter", { parameter }]);
  });

  test("that is not installed means internal_error and is reported to the operator", async () => {
    const onFailure = vi.fn();
    const service = await startService({ soffice: scratch.path("nowhere"), onFailure });
    expect(await errorOf(await postForm(service))).toEqual([500, "internal_error", {}]);
    expect(onFailure).toHaveBeenCalledWith(expect.objectContaining({ code: "ENOENT" }));
  });

  test("gets a new profile each time", async () => {
    const seen = scratch.path("seen");
    const soffice = officeScript(`echo "$1" >> ${seen}`);
    const service = await startService({ soffice });
    await Promise.all([postForm(service), postForm(service)]);
    const profiles = readFileSync(seen, "utf8").trim().split("\n");
    expect(new Set(profiles).size).toBe(2);
    for (const profile of profiles) expect(profile).toMatch(/^-env:UserInstallation=file:\/\/\//);
  });
});

test("runs few conversions, queues a few more and refuses the rest", async () => {
  const pids = scratch.path("pids");
  const soffice = officeScript(`echo $$ >> ${pids}; exec tail -f /dev/null`);
  const service = await startService({ soffice, concurrency: 1, waiting: 1 });
  const started = () => (existsSync(pids) ? readFileSync(pids, "utf8").trim().split("\n") : []);
  const [first, second] = [new AbortController(), new AbortController()];
  const calls = [postForm(service, undefined, { signal: first.signal })];
  await eventually(() => expect(started()).toHaveLength(1));
  // Complete uploads take places in order, so one of these two gets none.
  calls.push(postForm(service, undefined, { signal: second.signal }));
  calls.push(postForm(service, undefined, { signal: second.signal }));
  const ended = Promise.allSettled(calls);
  const refused = await Promise.race(calls);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(await errorOf(refused)).toEqual([429, "rate_limited", { retry_after: 5 }]);

  expect(started()).toHaveLength(1);
  first.abort();
  await eventually(() => expect(started()).toHaveLength(2));
  second.abort();
  await ended;
  await eventually(() => expect(jobFolders(service)).toEqual([]));
});

/** Whether a process runs. A zombie process exists, but has ended. */
function isRunning(pid: number): boolean {
  const status = readProcess(pid, "status");
  return status !== "" && !/^State:\s+Z/m.test(status);
}
