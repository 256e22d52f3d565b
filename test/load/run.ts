import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { buildServiceOnce, SERVICE_PROGRAM } from "../../scripts/built.mjs";
import { POSITIVE, readOptions, wholeNumber } from "../../scripts/options.mjs";
import { memoryOf } from "../support/process-files.ts";
import { RoundRobin } from "../support/round-robin.ts";
import { ServiceCopy, strayResults, workingFolders } from "../support/service-copy.ts";
import { sendLoad } from "./connections.ts";
import { loadRequests, send } from "./requests.ts";
import { Tally } from "./tally.ts";

/**
 * `npm run load`: mixed requests, sent by autocannon to two copies of the service behind a proxy. One copy runs for the whole
 * time. The other is ended by SIGTERM every minute, and killed every five minutes, and starts again. Fails for a request
 * without an answer of the contract, for memory or open files that grow, and for files that are left behind.
 */

const { values: options } = readOptions("npm run load --", {
  minutes: { type: "string", value: "N", takes: POSITIVE, default: "3", about: "how long" },
  connections: { type: "string", value: "N", takes: wholeNumber(1), default: "4", about: "how many" },
});

const MEGABYTE = 1_000_000;
/**
 * How much more memory at rest is accepted after the second half than after the first. In the first half, V8 and the
 * allocator take what they keep.
 */
const GROWTH_LIMIT_BYTES = 100 * MEGABYTE;
const FILES_LIMIT = 10;
/** Time without requests before a measurement. */
const IDLE_MS = 10_000;
/** A copy is ended or killed at each second such step, see {@link disturb}. */
const STEP_MS = 30_000;
const WARM_UP_ROUNDS = 3;

const scratch = mkdtempSync(join(tmpdir(), "stayput-load-"));
const folders = ["steady", "disturbed"].map((name) => ({
  results: join(scratch, "results"),
  temporary: join(scratch, name),
}));
const tally = new Tally();
try {
  await buildServiceOnce();
  await run();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(tally.summary());
process.exitCode = tally.failureCount > 0 ? 1 : 0;

async function run(): Promise<void> {
  const [steady, disturbed] = [await start(0), await start(1)];
  const proxy = await RoundRobin.start([steady.url, disturbed.url]);
  const requests = await loadRequests(steady.url);
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    for (const request of requests) await (await send(steady.url, request)).arrayBuffer();
  }
  await pause(IDLE_MS);
  const usages = [usageOf(steady)];
  const end = new AbortController();
  const last = disturb(disturbed, proxy, end.signal, () => report(steady));
  const [seconds, connections] = [Number(options.minutes) * 30, Number(options.connections)];
  const load = async () => {
    for (let half = 0; half < 2; half++) {
      await sendLoad(proxy.url, requests, tally, { seconds, connections });
      await pause(IDLE_MS);
      usages.push(usageOf(steady));
    }
  };
  // Both are awaited from the start. The other copy is no longer disturbed when the load ends or fails.
  const [copy] = await Promise.all([last, load().finally(() => end.abort())]);
  const copies = [steady, copy];
  compare(usages);
  await proxy.close();
  for (const copy of copies) await endCleanly(copy);
  for (const name of strayResults(join(scratch, "results")))
    tally.fail(`left behind in the results: ${name}`);
}

function start(index: 0 | 1): Promise<ServiceCopy> {
  const { [index]: own } = folders;
  if (own === undefined) throw new Error("a copy has no folder");
  return ServiceCopy.start(own, [], [SERVICE_PROGRAM]);
}

/** Ends a copy again and again, and starts it anew. Returns the one that runs at the end. */
async function disturb(
  first: ServiceCopy,
  { targets }: RoundRobin,
  signal: AbortSignal,
  onStep: () => void,
): Promise<ServiceCopy> {
  let copy = first;
  for (let step = 1; ; step++) {
    if (await endsDuring(STEP_MS, signal)) return copy;
    onStep();
    // SIGTERM at 0:30, 1:30, 2:30 …, SIGKILL at 2:00, 7:00, 12:00 …
    const how = step % 10 === 4 ? "SIGKILL" : step % 2 === 1 ? "SIGTERM" : undefined;
    if (how === undefined) continue;
    const outcome = await copy.end(how);
    if (outcome !== (how === "SIGTERM" ? 0 : how)) tally.fail(`a copy ended with ${outcome} after ${how}`);
    if (how === "SIGTERM") checkFolders(copy, 0);
    copy = await start(1);
    targets.splice(1, 1, copy.url);
    checkFolders(copy, 1);
  }
}

/** Waits. Returns early, with true, when the signal aborts. */
async function endsDuring(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(milliseconds, undefined, { signal });
    return false;
  } catch (thrown) {
    if (signal.aborted) return true;
    throw thrown;
  }
}

async function endCleanly(copy: ServiceCopy): Promise<void> {
  if (copy.calls.length > 0) tally.fail(`calls left behind: ${copy.calls.join(", ")}`);
  const outcome = await copy.end("SIGTERM");
  if (outcome !== 0) tally.fail(`a copy ended with ${outcome} after SIGTERM`);
  checkFolders(copy, 0);
}

function checkFolders({ folders: { temporary } }: ServiceCopy, expected: number): void {
  const left = workingFolders(temporary);
  if (left.length !== expected) tally.fail(`working folders: ${left.length}, not ${expected}`);
}

/** What a process holds. */
interface Usage {
  readonly bytes: number;
  readonly files: number;
}

/** Returns what a process holds. Linux only; 0 elsewhere. */
function usageOf({ pid }: ServiceCopy): Usage {
  const bytes = memoryOf(pid);
  return { bytes, files: bytes > 0 ? readdirSync(`/proc/${pid}/fd`).length : 0 };
}

/** @param usages before the load, and after each half */
function compare(usages: readonly Usage[]): void {
  const [, first, second] = usages;
  const memory = usages.map(({ bytes }) => `${Math.round(bytes / MEGABYTE)} MB`);
  console.log(`at rest before the load, and after each half: ${memory.join(", ")}`);
  console.log(`open files: ${usages.map(({ files }) => files).join(", ")}`);
  if (first === undefined || second === undefined) throw new Error("the load has two halves");
  if (second.bytes - first.bytes > GROWTH_LIMIT_BYTES) tally.fail("the memory of a copy grows");
  if (second.files - first.files > FILES_LIMIT) tally.fail("the open files of a copy grow");
}

function report(copy: ServiceCopy): void {
  const { bytes, files } = usageOf(copy);
  const time = new Date().toISOString().slice(11, 19);
  console.log(
    `${time}  ${Math.round(bytes / MEGABYTE)} MB, ${files} open files, ${tally.failureCount} failures`,
  );
}
