import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { buildServiceOnce, SERVICE_PROGRAM } from "../../scripts/built.mjs";
import { eventually } from "../support/eventually.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { Scratch } from "../support/native-tools.ts";

// The package stayput-service as it is published, beside its dependencies.

const scratch = new Scratch();
beforeAll(buildServiceOnce);
afterAll(() => scratch.remove());

test.each([
  [["--help"], /^Usage: stayput-service <command> file… \[options\]\n/],
  [["serve", "--help"], /^Usage: stayput-service \[options\]\n\n {2}--port N/],
  [["--version"], /^\d+\.\d+\.\d+\n$/],
])("prints the answer to %j", (args, expected) => {
  const { status, stdout } = spawnSync(process.execPath, [SERVICE_PROGRAM, ...args], { encoding: "utf8" });
  expect([status, stdout]).toEqual([0, expect.stringMatching(expected)]);
});

test("runs operations as commands", () => {
  for (const pages of [1, 2]) writeFileSync(scratch.path(`${pages}.pdf`), makePdf({ pages }));
  const command = (...args: readonly string[]) =>
    spawnSync(process.execPath, [SERVICE_PROGRAM, ...args], { cwd: scratch.directory, encoding: "utf8" });
  const merged = command("merge", "*.pdf", "-o", "whole.pdf");
  expect([merged.status, merged.stdout, merged.stderr]).toEqual([0, "whole.pdf\n", ""]);
  const drawn = command("convert", "whole.pdf", "--output-format", "png", "--pages", "3", "--json");
  expect(JSON.parse(drawn.stdout)).toMatchObject({ success: true, path: "whole.png" });
});

test("protects PDFs and draws their pages, and ends with 0 after SIGTERM", async () => {
  const keyFile = scratch.path("key");
  writeFileSync(keyFile, "secret");
  const child = spawn(process.execPath, [SERVICE_PROGRAM, "--port", "0", "--key-file", keyFile]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].on("data", (chunk: Buffer) => {
      output[name] += chunk.toString("utf8");
    });
  await eventually(() => expect(output.stderr).toMatch(/^ +apiKey .*\n/m));
  const url = /^ +baseUrl +(\S+)$/m.exec(output.stderr)?.[1] ?? "";
  const file = new File([makePdf({ pages: 5 })], "report.pdf");
  for (const [path, fields] of [
    ["protect-pdf", { password: "key" }],
    ["convert", { output_format: "png", dpi: "36" }],
  ] as const) {
    const body = new FormData();
    for (const [name, value] of Object.entries({ file, ...fields })) body.append(name, value);
    const headers = { Authorization: "Bearer secret" };
    const answer = await fetch(`${url}/api/${path}`, { method: "POST", headers, body });
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ success: true })]);
  }
  expect((await (await fetch(`${url}/openapi.json`)).json()).servers).toEqual([{ url }]);
  expect(await endOf(child)).toBe(0);
  const entries = output.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(entries.map(({ operation, status }) => [operation, status])).toEqual([
    ["/api/protect-pdf", 200],
    ["/api/convert", 200],
    ["openapi", 200],
  ]);
});

/** Stops a process. Returns its exit code. */
function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.on("exit", resolve);
    child.kill("SIGTERM");
  });
}
