import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeWorkingFolder, removeFolder } from "../../../../service/platform/working-folder.ts";

test("deletes the folders of processes that are gone, and no others", () => {
  const parent = mkdtempSync(join(tmpdir(), "stayput-test-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const { pid: gone } = spawnSync(process.execPath, ["--version"]);
  const prefix = `stayput-service-${hostname().replace(/\W/g, "_")}-`;
  const names = [
    `${prefix}${gone}-abc`,
    // In a container that has been restarted, an earlier process had the id of this one.
    `${prefix}${process.pid}-abc`,
    `${prefix}${process.ppid}-abc`,
    `stayput-service-another.host-${gone}-abc`,
    "stayput-service-other",
    "other",
  ];
  for (const name of names) mkdirSync(join(parent, name));
  const first = makeWorkingFolder(parent);
  const second = makeWorkingFolder(parent);
  expect(names.map((name) => existsSync(join(parent, name)))).toEqual([false, false, true, true, true, true]);
  expect([first, second].map((folder) => existsSync(folder))).toEqual([true, true]);
  removeFolder(first);
  expect([first, second].map((folder) => existsSync(folder))).toEqual([false, true]);
});

test.skipIf(process.getuid === undefined)("leaves the folders of other users alone", () => {
  const parent = mkdtempSync(join(tmpdir(), "stayput-test-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const { pid: gone } = spawnSync(process.execPath, ["--version"]);
  const theirs = join(parent, `stayput-service-${hostname().replace(/\W/g, "_")}-${gone}-abc`);
  mkdirSync(theirs);
  const user = vi.spyOn(process, "getuid").mockReturnValue(12_345);
  onTestFinished(() => user.mockRestore());
  makeWorkingFolder(parent);
  expect(existsSync(theirs)).toBe(true);
});
