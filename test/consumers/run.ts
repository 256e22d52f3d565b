import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Browser } from "playwright-core";
import { buildPackageOnce, TARBALL } from "../../scripts/built.mjs";
import { readOptions } from "../../scripts/options.mjs";
import { launchChromium } from "../support/browsers/launched-chromium.ts";
import { Scratch } from "../support/native-tools.ts";
import { tryExample } from "./examples.ts";
import { InstalledApp } from "./installed-app.ts";
import { type Job, makeJobs } from "./jobs.ts";
import { messageOf, runJobs } from "./page-jobs.ts";
import { failuresOf, type JobRow, type SetUpRow, secondsSince, tableOf } from "./report.ts";
import { SET_UPS, type SetUp, type TestSetUp } from "./set-ups.ts";

/**
 * `npm run test:consumers`: installs the packed package in apps of many kinds, builds and serves them, and runs the same
 * jobs in each. `npm run test:consumers -- vite-8 angular` takes the set-ups whose names begin so.
 */

/** How many apps are installed and built at the same time. */
const LANES = 2;
const MEGABYTE = 1e6;

/** What all set-ups share. */
interface Shared {
  /** The folder with the tarball, for the apps. */
  readonly folder: string;
  readonly jobs: readonly Job[];
  readonly browser: Browser;
}

const { positionals } = readOptions("npm run test:consumers -- [NAME …]", {}, true);
const chosen = SET_UPS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((start) => name.startsWith(start)),
);
if (chosen.length === 0) {
  console.error(`No set-up has such a name. There are ${SET_UPS.map(({ name }) => name).join(", ")}.`);
  process.exitCode = 1;
} else {
  const start = performance.now();
  const rows = await run(chosen);
  const failures = failuresOf(rows);
  console.log(tableOf(rows));
  console.log(`${rows.length} set-ups in ${secondsSince(start).toFixed(0)} s`);
  for (const failure of failures) console.log(`FAILED  ${failure}`);
  const total = rows.reduce((sum, { jobs }) => sum + jobs.length, 0);
  console.log(`${total - failures.length} passed, ${failures.length} failed`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

/** Runs the set-ups, two apps side by side. Returns the rows in the order of the set-ups. */
async function run(setUps: readonly SetUp[]): Promise<readonly SetUpRow[]> {
  const scratch = new Scratch();
  const browser = await launchChromium();
  try {
    await buildPackageOnce();
    copyFileSync(TARBALL, join(scratch.directory, basename(TARBALL)));
    const shared = { folder: scratch.directory, jobs: await makeJobs(scratch), browser };
    const apps = [...new Set(setUps.map(({ app }) => app))];
    const rows: SetUpRow[] = [];
    const lane = async () => {
      for (let app = apps.shift(); app !== undefined; app = apps.shift()) {
        const ofApp = setUps.filter((setUp) => setUp.app === app);
        rows.push(...(await runApp(app, ofApp, shared)));
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return setUps.flatMap(({ name }) => rows.filter((row) => row.name === name));
  } finally {
    await browser.close();
    scratch.remove();
  }
}

/** Installs an app, runs its set-ups one after another, and removes it. */
async function runApp(name: string, setUps: readonly SetUp[], shared: Shared): Promise<readonly SetUpRow[]> {
  const start = performance.now();
  const app = new InstalledApp(name, shared.folder);
  try {
    await app.install();
    const installed = { megabytes: app.size / MEGABYTE, installSeconds: secondsSince(start) };
    const rows: SetUpRow[] = [];
    for (const setUp of setUps) {
      rows.push({ name: setUp.name, ...installed, ...(await runSetUp(app, setUp, shared)) });
      process.stderr.write(`… ${setUp.name} is done\n`);
    }
    return rows;
  } catch (error) {
    const none = { megabytes: 0, installSeconds: 0, buildSeconds: 0, jobs: allFailed(shared.jobs, error) };
    return setUps.map((setUp) => ({ name: setUp.name, ...none }));
  } finally {
    app.remove();
  }
}

/** Builds and serves an app, and runs the jobs on its page. Runs the tests of an app that has some. */
async function runSetUp(
  app: InstalledApp,
  setUp: SetUp,
  { jobs, browser }: Shared,
): Promise<Pick<SetUpRow, "buildSeconds" | "jobs">> {
  const start = performance.now();
  let buildSeconds = 0;
  if ("test" in setUp) return { buildSeconds, jobs: [await runTests(app, setUp)] };
  try {
    const served = await app.serve(setUp);
    buildSeconds = secondsSince(start);
    try {
      if ("example" in setUp) return { buildSeconds, jobs: [await tryExample(browser, served, setUp, jobs)] };
      return { buildSeconds, jobs: await runJobs(browser, served, jobs) };
    } finally {
      await served.close();
    }
  } catch (error) {
    return { buildSeconds, jobs: allFailed(jobs, error) };
  }
}

/** Runs the tests of an app as one job. */
async function runTests(app: InstalledApp, { test, page }: TestSetUp): Promise<JobRow> {
  const start = performance.now();
  if (page !== undefined) app.writeExamples(page);
  const complaint = await app.run(test).then(() => undefined, messageOf);
  const row = { name: "tests", seconds: secondsSince(start) };
  return complaint === undefined ? row : { ...row, complaint };
}

function allFailed(jobs: readonly Job[], error: unknown): readonly JobRow[] {
  return jobs.map(({ name }) => ({ name, seconds: 0, complaint: messageOf(error) }));
}
