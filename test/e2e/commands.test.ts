import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

function run(program: string, ...args: readonly string[]) {
  return spawnSync(process.execPath, ["--import", "tsx", program, ...args], { encoding: "utf8", cwd: ROOT });
}

it("prints the options of a command", () => {
  const { status, stdout } = run("scripts/start.mjs", "--help");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Usage: npm start -- \[options\]\n\n {2}--port N {2,}where the demo answers/);
  expect(stdout).toContain("--service");
});

it("refuses an unknown option and prints the known ones", () => {
  const { status, stdout, stderr } = run("scripts/start.mjs", "--prot", "8080");
  expect(status).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^Unknown option '--prot'\n\nUsage: npm start/);
  expect(stderr).toContain("--port N");
});

it.each([
  ["scripts/start.mjs", "--port", "70000", "a whole number from 0 to 65535"],
  ["service/serve.ts", "--port", "", "a whole number from 0 to 65535"],
  ["test/fuzz/run.ts", "--runs", "abc", "a whole number from 1"],
  ["test/fuzz/run.ts", "--target", "pdfs", "one of pdf, images, drawing, forms"],
  ["test/corpus/run.ts", "--sample", "1.5", "a whole number from 0"],
  ["test/bench/run.ts", "--megapixels", "12,", "a number over 0, or several with commas between"],
])("%s refuses %s %j", (program, option, given, takes) => {
  const { status, stdout, stderr } = run(program, option, given);
  expect(status).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toContain(`${option} takes ${takes}, not "${given}"\n\nUsage: `);
});

it("refuses --built with --service: the page is cached, and the key changes each time", () => {
  const { status, stderr } = run("scripts/start.mjs", "--built", "--service");
  expect(status).toBe(1);
  expect(stderr).toBe("--built and --service do not go together: leave one of them out.\n");
});

it("fails when there is nothing to examine", () => {
  const folder = mkdtempSync(join(tmpdir(), "stayput-commands-"));
  const missing = run("test/corpus/run.ts", folder);
  writeFileSync(join(folder, "manifest.json"), "[]");
  const empty = run(
    "test/corpus/run.ts",
    folder,
    "--family",
    "PDF",
    "--browser",
    "0",
    "--other-browsers",
    "0",
  );
  rmSync(folder, { recursive: true });
  expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining("no manifest.json")]);
  expect([empty.status, empty.stderr]).toEqual([1, expect.stringContaining("Nothing was checked")]);
});
