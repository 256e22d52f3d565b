import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ADVISORIES } from "../../../scripts/advisories.mjs";
import { ROOT } from "../../../scripts/dependencies.mjs";
import { listenOnLoopback } from "../../support/loopback.ts";

interface Answer {
  readonly vulns?: readonly { readonly id: string; readonly aliases?: readonly string[] }[];
  readonly next_page_token?: string;
}

const [LISTED = { library: "", ids: [""] }] = ADVISORIES;
const COMMIT = "0123456789abcdef0123456789abcdef01234567";

let folder: string;
let server: Server;
let questions: object[];
/** The status and the answers of the feed, in this order. No advisories when there are no more. */
let answers: (Answer | number)[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stayput-advisories-"));
  questions = [];
  answers = [];
  server = createServer(async (request, response) => {
    questions.push({ path: request.url, ...((await json(request)) as object) });
    const answer = answers.shift() ?? {};
    if (typeof answer === "number") response.writeHead(answer);
    response.end(JSON.stringify(answer));
  });
});

afterEach(async () => {
  await new Promise((closed) => server.close(closed));
  rmSync(folder, { recursive: true });
});

/** Runs the script over an SBOM of these components. */
async function check(...components: readonly object[]): Promise<{ code: number; output: string }> {
  const sbom = join(folder, "sbom.json");
  writeFileSync(sbom, JSON.stringify({ components }));
  const feed = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  const script = join(ROOT, "scripts", "check-advisories.mjs");
  return new Promise((ended) => {
    execFile(process.execPath, [script, feed, sbom], (error, stdout, stderr) => {
      ended({ code: Number(error?.code ?? 0), output: stdout + stderr });
    });
  });
}

const listed = { name: LISTED.library, version: "1", purl: "pkg:npm/one@1" };

test("asks for a package by its address, for a commit, and for the tag of a release", async () => {
  const vcs = { externalReferences: [{ type: "vcs", url: "https://example.org/two" }] };
  const release = { name: "stayput:release", value: "1.2" };
  const { code, output } = await check(
    { name: "one", purl: "pkg:npm/one@1", ...vcs, properties: [release] },
    { name: "two", ...vcs, properties: [release, { name: "stayput:commit", value: COMMIT }] },
    { name: "three", ...vcs, properties: [release] },
    { name: "four", ...vcs, properties: [] },
  );
  expect(questions).toEqual([
    { path: "/v1/query", package: { purl: "pkg:npm/one@1" } },
    { path: "/v1/query", commit: COMMIT },
    {
      path: "/v1/query",
      version: "1.2",
      package: { ecosystem: "GIT", name: "https://example.org/two.git" },
    },
  ]);
  expect(output).toContain("no version is known: four");
  expect(code).toBe(0);
});

test("accepts advisories of the list, also under another name", async () => {
  answers = [{ vulns: [{ id: "OSV-2099-1", aliases: [LISTED.ids[0] ?? ""] }] }];
  expect(await check(listed)).toMatchObject({ code: 0, output: expect.stringContaining("0 advisories") });
});

test.each([
  ["another advisory", listed, { id: "CVE-2099-1" }],
  [
    "an advisory that the list has for another library",
    { ...listed, name: "other" },
    { id: LISTED.ids[0] ?? "" },
  ],
])("fails for %s", async (_, component, found) => {
  answers = [{ vulns: [found] }, { vulns: [found] }];
  const { code, output } = await check(component, component);
  expect(code).toBe(1);
  expect(output.split(found.id).length - 1).toBe(1);
  expect(output).toContain("1 advisories");
});

test("reads all pages", async () => {
  answers = [{ next_page_token: "more" }, { vulns: [{ id: "CVE-2099-1" }] }];
  expect((await check(listed)).code).toBe(1);
  expect(questions[1]).toMatchObject({ page_token: "more" });
});

test.each([
  ["answers with an error", [503]],
  ["always has another page", Array.from({ length: 30 }, () => ({ next_page_token: "more" }))],
])("fails when the feed %s", async (_, given) => {
  answers = given;
  expect((await check(listed)).code).toBe(1);
  expect(questions.length).toBeLessThanOrEqual(20);
});
