import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const START = fileURLToPath(new URL("../../scripts/start.mjs", import.meta.url));

function start(...args: readonly string[]) {
  return spawnSync(process.execPath, [START, ...args], { encoding: "utf8" });
}

it("tells a command's options", () => {
  const { status, stdout } = start("--help");
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Usage: npm start -- \[options\]\n\n {2}--port N {2,}where the demo answers/);
  expect(stdout).toContain("--service");
});

it("refuses an option that a command does not have, and tells those that it has", () => {
  const { status, stdout, stderr } = start("--prot", "8080");
  expect(status).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^Unknown option '--prot'\n\nUsage: npm start/);
  expect(stderr).toContain("--port N");
});
