import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { buildPackageOnce } from "../../scripts/built.mjs";
import { ROOT } from "../../scripts/dependencies.mjs";
import { makePdf } from "../support/fixtures/pdf.ts";
import { Scratch } from "../support/native-tools.ts";
import { COPY_KEY, ServiceCopy, workingFolders } from "../support/service-copy.ts";

// The service as the image has it: built, with its dependencies and the package beside it, and without the sources.

const scratch = new Scratch();
beforeAll(buildPackageOnce);
afterAll(() => scratch.remove());

/** Puts the files together as service/Dockerfile does. Returns the program. */
function installed(): string {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, "scripts", "build-service.mjs")], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  const app = scratch.path("app");
  cpSync(join(ROOT, "service", "dist"), join(app, "service", "dist"), { recursive: true });
  const manifest = readFileSync(join(ROOT, "service", "package.json"), "utf8");
  cpSync(join(ROOT, "service", "package.json"), join(app, "service", "package.json"));
  const packages = join(app, "node_modules");
  for (const name of Object.keys(JSON.parse(manifest).dependencies)) {
    mkdirSync(join(packages, name, ".."), { recursive: true });
    if (name !== "stayput") symlinkSync(join(ROOT, "node_modules", name), join(packages, name), "junction");
  }
  symlinkSync(ROOT, join(packages, "stayput"), "junction");
  return join(app, "service", "dist", "main.js");
}

test("answers calls, and describes itself", async () => {
  const folders = { results: scratch.path("results"), temporary: scratch.path("temporary") };
  const copy = await ServiceCopy.start(folders, [], [installed()]);
  onTestFinished(async () => {
    await copy.end("SIGKILL");
  });
  const body = new FormData();
  body.append("file", new File([makePdf({ pages: 1 })], "a.pdf"));
  body.append("output_format", "png");
  const headers = { Authorization: `Bearer ${COPY_KEY}` };
  const response = await fetch(`${copy.url}/api/convert`, { method: "POST", headers, body });
  const answer = await response.json();
  expect(answer).toEqual({ success: true, download_url: expect.any(String), file_name: "a.png" });
  const png = new Uint8Array(await (await fetch(answer.download_url)).arrayBuffer());
  expect([...png.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  const contract = await (await fetch(`${copy.url}/openapi.json`)).json();
  expect(contract.servers).toEqual([{ url: copy.url }]);
  expect(Object.keys(contract.paths)).toContain("/api/convert");
  expect(await copy.end("SIGTERM")).toBe(0);
  expect(workingFolders(folders.temporary)).toEqual([]);
});
