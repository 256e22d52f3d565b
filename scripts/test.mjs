// npm test: all tests. npm run check: the checks that are quick enough for every change.
// The last line is always "N passed, N failed" (and ", N skipped" when there are any).
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { assemble } from "./assemble.mjs";
import { commandScript, installDependencies, ROOT } from "./dependencies.mjs";

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures: readonly string[] }} Count
 * @typedef {{ title: string, run: () => Count }} Step
 */

const everyday = process.argv[2] === "everyday";

installDependencies();
await assemble();
if (!everyday) {
  const { prepareMachine } = await import("./machine.mjs");
  const chromium = prepareMachine();
  if (chromium) process.env.CHROMIUM = chromium;
}

/** @type {Step[]} */
const steps = [
  check("format and lint", "@biomejs/biome", ["ci", "."]),
  check("types of the page, the demo and the tests", "typescript", ["-p", "tsconfig.json"], "tsc"),
  check("types of the workers", "typescript", ["-p", "workers/tsconfig.json"], "tsc"),
  check(
    "import rules",
    "dependency-cruiser",
    ["--config", ".dependency-cruiser.mjs", "src", "workers", "demo"],
    "depcruise",
  ),
  suite("unit"),
];
if (!everyday)
  steps.push(suite("hostile"), suite("security"), suite("native"), suite("browser"), suite("e2e"));

const results = steps.map(({ title, run }) => {
  console.log(`\n── ${title}`);
  const start = performance.now();
  const count = run();
  return { title, count, seconds: (performance.now() - start) / 1000 };
});

console.log("");
for (const { title, count, seconds } of results) {
  const mark = count.failed > 0 ? "✗" : "✓";
  console.log(`${mark} ${title.padEnd(44)} ${describe(count)} (${seconds.toFixed(1)} s)`);
}
/** @type {Count} */
const none = { passed: 0, failed: 0, skipped: 0, failures: [] };
const total = results.reduce(
  (sum, { count }) => ({
    passed: sum.passed + count.passed,
    failed: sum.failed + count.failed,
    skipped: sum.skipped + count.skipped,
    failures: [...sum.failures, ...count.failures],
  }),
  none,
);
if (total.failures.length > 0) console.log("");
for (const failure of total.failures) console.log(`FAILED  ${failure}`);
console.log(`\n${describe(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;

/**
 * Returns a step for a tool that passes or fails as a whole. It counts as one test.
 *
 * @param {string} title
 * @param {string} packageName
 * @param {readonly string[]} args
 * @param {string} [command]
 * @returns {Step}
 */
function check(title, packageName, args, command) {
  return {
    title,
    run: () => {
      const failures = node(commandScript(packageName, command), args) === 0 ? [] : [title];
      return { passed: 1 - failures.length, failed: failures.length, skipped: 0, failures };
    },
  };
}

/**
 * Returns a step for a project of vitest.config.ts. Each of its tests counts.
 *
 * @param {string} project
 * @returns {Step}
 */
function suite(project) {
  return {
    title: `${project} tests`,
    run: () => {
      const folder = mkdtempSync(join(tmpdir(), "stayput-test-"));
      const report = join(folder, "report.json");
      const args = ["run", "--project", project, "--reporter=default", "--reporter=json"];
      const status = node(commandScript("vitest"), [...args, `--outputFile.json=${report}`]);
      // The security suite has built the package and the demo, which the e2e suite tests as well.
      if (project === "security") process.env.REUSE_BUILD = "yes";
      const count = readReport(report);
      rmSync(folder, { recursive: true });
      // A runner that crashed may have reported no failed test.
      if (status === 0 || count.failed > 0) return count;
      return { ...count, failed: 1, failures: [`${project} tests: the runner ended with ${status}`] };
    },
  };
}

/**
 * @param {string} file
 * @returns {Count}
 */
function readReport(file) {
  if (!existsSync(file)) return { passed: 0, failed: 0, skipped: 0, failures: [] };
  const report = JSON.parse(readFileSync(file, "utf8"));
  /** @type {{ name: string, status: string, message: string, assertionResults: { fullName: string, status: string, failureMessages: string[] }[] }[]} */
  const files = report.testResults;
  // A file that cannot be loaded has no tests.
  const unloadable = files.filter((one) => one.status === "failed" && one.assertionResults.length === 0);
  const failures = files.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => failure(name, test.fullName, test.failureMessages[0])),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [
      ...failures,
      ...unloadable.map(({ name, message }) => failure(name, "cannot be loaded", message)),
    ],
  };
}

/**
 * Describes a failed test in one line.
 *
 * @param {string} file
 * @param {string} test
 * @param {string} [message]
 */
function failure(file, test, message = "") {
  return `${relative(ROOT, file)}  ${test}: ${message.replace(/\s+/g, " ").slice(0, 300)}`;
}

/**
 * @param {string} script
 * @param {readonly string[]} args
 */
function node(script, args) {
  return spawnSync(process.execPath, [script, ...args], { cwd: ROOT, stdio: "inherit" }).status;
}

/** @param {Count} count */
function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
