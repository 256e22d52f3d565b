import { existsSync, openAsBlob } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { buildServiceOnce, SERVICE_PROGRAM } from "../../scripts/built.mjs";
import { largePdfOf, writeSparse } from "../support/fixtures/large-pdf.ts";
import { Scratch } from "../support/native-tools.ts";
import { memoryOf } from "../support/process-files.ts";
import { COPY_KEY, ServiceCopy } from "../support/service-copy.ts";

const MEGABYTE = 1_000_000;
/** Much less than the file, which would be there twice if input and output were in memory. Measured: some 60 MB more. */
const MOST_GROWTH = 120 * MEGABYTE;

const scratch = new Scratch();
beforeAll(buildServiceOnce);
afterAll(() => scratch.remove());

/** Protects a PDF of about so many megabytes. Returns the size of the result. */
async function protect(url: string, megabytes: number): Promise<number> {
  const path = scratch.path("scan.pdf");
  writeSparse(path, largePdfOf({ pages: megabytes, bytesPerPage: MEGABYTE }));
  const body = new FormData();
  body.append("file", await openAsBlob(path), "scan.pdf");
  body.append("password", "key");
  const headers = { Authorization: `Bearer ${COPY_KEY}` };
  const answer = await fetch(`${url}/api/protect-pdf`, { method: "POST", headers, body });
  expect(answer.status).toBe(200);
  const { download_url } = await answer.json();
  let size = 0;
  for await (const chunk of (await fetch(download_url)).body ?? []) size += chunk.length;
  return size;
}

test.skipIf(!existsSync("/proc/self/status"))("the memory does not follow the size of the file", async () => {
  // As in the image.
  vi.stubEnv("MALLOC_MMAP_THRESHOLD_", "65536");
  const folders = { results: scratch.path("results"), temporary: scratch.path("temporary") };
  const copy = await ServiceCopy.start(folders, [], [SERVICE_PROGRAM]);
  onTestFinished(async () => void (await copy.end("SIGKILL")));
  const { url, pid } = copy;
  expect(await protect(url, 20)).toBeGreaterThan(20 * MEGABYTE);
  const before = memoryOf(pid, "VmHWM");
  expect(before).toBeGreaterThan(0);
  expect(await protect(url, 240)).toBeGreaterThan(240 * MEGABYTE);
  expect(memoryOf(pid, "VmHWM") - before).toBeLessThan(MOST_GROWTH);
});
