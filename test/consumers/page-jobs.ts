import { type Browser, errors, type Page } from "playwright-core";
import { openWatched } from "../support/browsers/watched-page.ts";
import type { ServedApp } from "./installed-app.ts";
import type { Job, JobResult } from "./jobs.ts";
import { type JobRow, secondsSince } from "./report.ts";

/** Tells a hang from a slow machine: a job takes 2 s at most on an idle one. */
const JOB_LIMIT_MS = 60_000;

/** Opens the page of an app and runs the jobs one after another, until one hangs. */
export async function runJobs(
  browser: Browser,
  { url, origins }: ServedApp,
  jobs: readonly Job[],
): Promise<readonly JobRow[]> {
  const { page, requests, complaints } = await openWatched(browser, url);
  const rows: JobRow[] = [];
  let hung = false;
  try {
    for (const job of jobs) {
      if (hung) {
        rows.push({ name: job.name, seconds: 0, complaint: "not run, because an earlier job hung" });
        continue;
      }
      const start = performance.now();
      const problem = await runJob(page, job).catch((error) => {
        hung = error instanceof errors.TimeoutError;
        return messageOf(error);
      });
      const seconds = secondsSince(start);
      const foreign = requests
        .splice(0)
        .filter((request) => !origins.some((origin) => request.includes(` ${origin}/`)))
        .map((request) => `another origin is asked: ${request}`);
      const found = [...(problem === undefined ? [] : [problem]), ...complaints.splice(0), ...foreign];
      rows.push({ name: job.name, seconds, ...(found.length > 0 ? { complaint: found.join("; ") } : {}) });
    }
    return rows;
  } finally {
    await page.context().close();
  }
}

/** Returns the fault of the result of a job, or undefined. Rejects when the job fails or hangs. */
async function runJob(page: Page, { name, input, complaint }: Job): Promise<string | undefined> {
  await page.waitForFunction(() => "runJob" in globalThis, undefined, { timeout: JOB_LIMIT_MS });
  // Unlike `evaluate`, this has a time limit. The first result ends the waiting, because it is an object.
  const handle = await page.waitForFunction(
    ([name, input]) => Reflect.get(globalThis, "runJob")(name, input.name, input.bytes),
    [name, input] as const,
    { timeout: JOB_LIMIT_MS },
  );
  const result: JobResult = await handle.jsonValue();
  return complaint(result);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
