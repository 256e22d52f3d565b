// npm test: everything. npm run check: what is quick enough for every change.
// The last line is always "N passed, N failed" (and ", N skipped" when there are any).
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assemble } from "./assemble.mjs";
import { commandScript, installDependencies, ROOT } from "./dependencies.mjs";

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Count
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
  suite("unit"),
];
if (!everyday) steps.push(suite("native"), suite("browser"), suite("e2e"));

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
const total = results.reduce(
  (sum, { count }) => ({
    passed: sum.passed + count.passed,
    failed: sum.failed + count.failed,
    skipped: sum.skipped + count.skipped,
  }),
  { passed: 0, failed: 0, skipped: 0 },
);
console.log(`\n${describe(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;

/**
 * A tool that passes or fails as a whole, and counts as one.
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
      const failed = node(commandScript(packageName, command), args) === 0 ? 0 : 1;
      return { passed: 1 - failed, failed, skipped: 0 };
    },
  };
}

/**
 * One of the projects in vitest.config.ts; every test counts.
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
      const count = readReport(report);
      rmSync(folder, { recursive: true });
      // A file that cannot be loaded or a crashed runner has no failed test to its name.
      if (status !== 0 && count.failed === 0) count.failed = 1;
      return count;
    },
  };
}

/**
 * @param {string} file
 * @returns {Count}
 */
function readReport(file) {
  if (!existsSync(file)) return { passed: 0, failed: 0, skipped: 0 };
  const report = JSON.parse(readFileSync(file, "utf8"));
  /** @type {{ status: string, assertionResults: unknown[] }[]} */
  const files = report.testResults;
  const unloadable = files.filter((one) => one.status === "failed" && one.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloadable.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
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
