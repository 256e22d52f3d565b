// The tests. The last line is always "N passed, N failed" (and ", N skipped" when there are any).
//
//   npm run check               what is quick enough for every change: format, lint, types, import rules, unit tests
//   npm test                    all that a change is likely to break
//   npm run test:all            also the tests in files *.rest.test.ts
//   npm run test:all -- --rest  these alone
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { buildDemosOnce, buildPackageOnce, buildServiceOnce } from "./built.mjs";
import { commandScript, installDependencies, ROOT } from "./dependencies.mjs";
import { setTestEnvironment } from "./environment.mjs";
import { makeWasm } from "./make-wasm.mjs";

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures: readonly string[] }} Count
 * @typedef {{ title: string, count: Count, seconds?: number }} Result
 * @typedef {{ title: string, run: () => Promise<readonly string[]> }} Check `run` returns the failures
 */

/** @typedef {"check" | "test" | "all"} Tier */
const TIERS = /** @type {const} */ ({ check: "npm run check", test: "npm test", all: "npm run test:all" });

const [tier, isRest] = readTier(process.argv.slice(2));
const isCheck = tier === "check";

/** @type {Count} */
const none = { passed: 0, failed: 0, skipped: 0, failures: [] };

const begin = performance.now();
installDependencies();
await makeWasm();
if (!isCheck) {
  const { setUpMachine } = await import("./machine.mjs");
  setUpMachine();
}
setTestEnvironment();

/** @type {Check[]} */
const checks = [
  check("types of the page, the demo and the tests", "typescript", ["-p", "tsconfig.json"], "tsc"),
  check("types of the workers", "typescript", ["-p", "workers/tsconfig.json"], "tsc"),
  check("format and lint", "@biomejs/biome", ["ci", "--colors=off", "."]),
  check(
    "import rules",
    "dependency-cruiser",
    ["--config", ".dependency-cruiser.mjs", "src", "workers", "service", "demo"],
    "depcruise",
  ),
];
/** @type {Check[]} */
const builds = [
  build("build of the package", buildPackageOnce),
  build("build of the service", buildServiceOnce),
  build("build of the demo", buildDemosOnce),
];
const steps = [...(isCheck ? [] : builds), ...(isRest ? [] : checks)];
const results = [...(await inLanes(steps)), ...tests()];

console.log("");
for (const { title, count, seconds } of results) {
  const mark = count.failed > 0 ? "✗" : "✓";
  const time = seconds === undefined ? "" : ` (${seconds.toFixed(1)} s)`;
  console.log(`${mark} ${title.padEnd(44)} ${describe(count)}${time}`);
}
const total = results.reduce((sum, { count }) => add(sum, count), none);
if (total.failures.length > 0) console.log("");
for (const failure of total.failures) console.log(`FAILED  ${failure}`);
console.log(`\nin ${Math.round((performance.now() - begin) / 1000)} s\n${describe(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;

/**
 * Reads the command line. Ends the process when it has something unknown.
 *
 * @param {readonly string[]} args
 * @returns {[tier: Tier, isRest: boolean]}
 */
function readTier([name = "", ...options]) {
  const tier = /** @type {const} */ (["check", "test", "all"]).find((one) => one === name);
  if (tier === undefined) throw new Error(`there is no tier ${name}`);
  const isRest = tier === "all" && options[0] === "--rest";
  if (options.length === Number(isRest)) return [tier, isRest];
  console.error(`${TIERS[tier]} takes ${tier === "all" ? "the option --rest only" : "no option"}.`);
  console.error("To run one file: npx vitest run FILE");
  process.exit(1);
}

/**
 * Runs the steps, as many at the same time as there are cores. Each counts as one test.
 *
 * @param {readonly Check[]} steps
 * @returns {Promise<Result[]>}
 */
async function inLanes(steps) {
  /** @type {Result[]} */
  const results = [];
  const waiting = [...steps];
  const lane = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const start = performance.now();
      const failures = await step.run();
      const failed = failures.length > 0 ? 1 : 0;
      const count = { passed: 1 - failed, failed, skipped: 0, failures };
      const seconds = (performance.now() - start) / 1000;
      results.push({ title: step.title, count, seconds });
      console.log(`${failed ? "✗" : "✓"} ${step.title} (${seconds.toFixed(1)} s)`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return results;
}

/**
 * Returns a step for a tool that passes or fails as a whole.
 *
 * @param {string} title
 * @param {string} packageName
 * @param {readonly string[]} args
 * @param {string} [command]
 * @returns {Check}
 */
function check(title, packageName, args, command) {
  return {
    title,
    run: async () => {
      const child = spawn(process.execPath, [commandScript(packageName, command), ...args], { cwd: ROOT });
      let printed = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk));
      const [status] = await once(child, "close");
      if (status === 0) return [];
      console.log(printed);
      return [title];
    },
  };
}

/**
 * @param {string} title
 * @param {() => Promise<void>} run
 * @returns {Check}
 */
function build(title, run) {
  return {
    title,
    run: async () => {
      try {
        await run();
        return [];
      } catch (error) {
        console.log(String(error));
        return [title];
      }
    },
  };
}

/**
 * Runs the tests of the tier by Vitest.
 *
 * @returns {Result[]} one for each folder of tests
 */
function tests() {
  const folder = mkdtempSync(join(tmpdir(), "stayput-test-"));
  const report = join(folder, "report.json");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  if (isCheck) args.push("--project", "unit");
  const { status } = spawnSync(process.execPath, [commandScript("vitest"), ...args], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, STAYPUT_TESTS: isRest ? "rest" : tier },
  });
  const results = readReport(report);
  rmSync(folder, { recursive: true });
  // A runner that crashed may have reported no failed test.
  if (status !== 0 && results.every(({ count }) => count.failed === 0)) {
    const failures = [`the test runner ended with ${status}`];
    results.push({ title: "the test runner", count: { passed: 0, failed: 1, skipped: 0, failures } });
  }
  return results;
}

/**
 * @param {string} file
 * @returns {Result[]}
 */
function readReport(file) {
  if (!existsSync(file)) return [];
  /** @type {{ name: string, status: string, message: string, assertionResults: { fullName: string, status: string, failureMessages: string[] }[] }[]} */
  const files = JSON.parse(readFileSync(file, "utf8")).testResults;
  /** @type {Map<string, Count>} */
  const counts = new Map();
  for (const { name, status, message, assertionResults } of files) {
    const path = relative(ROOT, name).replaceAll("\\", "/");
    const title = `${path.split("/")[1]} tests`;
    // A file that cannot be loaded has no tests.
    const isUnloadable = status === "failed" && assertionResults.length === 0;
    const failed = assertionResults.filter((test) => test.status === "failed");
    const passed = assertionResults.filter((test) => test.status === "passed");
    const count = {
      passed: passed.length,
      failed: failed.length + (isUnloadable ? 1 : 0),
      skipped: assertionResults.length - passed.length - failed.length,
      failures: [
        ...failed.map((test) => failure(path, test.fullName, test.failureMessages[0])),
        ...(isUnloadable ? [failure(path, "cannot be loaded", message)] : []),
      ],
    };
    counts.set(title, add(counts.get(title) ?? none, count));
  }
  return [...counts].map(([title, count]) => ({ title, count }));
}

/**
 * @param {Count} one
 * @param {Count} other
 * @returns {Count}
 */
function add(one, other) {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    failures: [...one.failures, ...other.failures],
  };
}

/**
 * Describes a failed test in one line.
 *
 * @param {string} path
 * @param {string} test
 * @param {string} [message]
 */
function failure(path, test, message = "") {
  return `${path}  ${test}: ${message.replace(/\s+/g, " ").slice(0, 1000)}`;
}

/** @param {Count} count */
function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
