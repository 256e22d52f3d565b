import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { RequestLog } from "../../service/http/request-log.ts";
import type { Service } from "../../service/http/service.ts";
import { eventually } from "../support/eventually.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { errorOf, type FormFields, jobFolders, startService } from "../support/started-service.ts";
import { ATTACK_CASES, attackFiles } from "./attack-table.ts";
import { IMAGE_ATTACKS } from "./image-attacks.ts";

// Hostile files to the engines of the service: each request is answered, and the next one works.

/** Posts a form to an operation. */
function post({ url }: Service, operation: string, fields: FormFields | FormData): Promise<Response> {
  const body = fields instanceof FormData ? fields : new FormData();
  if (!(fields instanceof FormData))
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const headers = { Authorization: "Bearer secret" };
  return fetch(`${url}/api/${operation}`, { method: "POST", headers, body });
}

function pdfOf(pages: number): File {
  return new File([makePdf({ pages })], "a.pdf");
}

/** Expects that the service is in order: no folder of a call is left, and a call succeeds. */
async function expectSound(service: Service): Promise<void> {
  await eventually(() => expect(jobFolders(service)).toEqual([]));
  const response = await post(service, "protect-pdf", { file: pdfOf(1), password: "key" });
  expect(response.status).toBe(200);
}

/** Expects a result, or an error of the contract that is not one of the service itself. */
async function expectAnswered(response: Response): Promise<void> {
  const body = await response.json();
  if (body.success === true) expect(response.status).toBe(200);
  else expect([response.status, body.error.code]).not.toEqual([500, "internal_error"]);
}

describe("a small hostile PDF is answered, and the next call works", () => {
  const operations = { protect: { password: "key" }, "split all": { pages: "all" } } as const;
  const paths = { protect: "protect-pdf", "split all": "split-pdf" } as const;
  const isTried = (one: string): one is keyof typeof operations => Object.hasOwn(operations, one);

  test.each(ATTACK_CASES.filter(({ runs }) => runs === "always"))("$name", async (attack) => {
    const service = await startService();
    for (const { operation, input } of attackFiles(attack, isTried)) {
      if (!isTried(operation)) continue;
      const file = new File([Uint8Array.from(input)], "a.pdf");
      await expectAnswered(await post(service, paths[operation], { file, ...operations[operation] }));
    }
    await expectSound(service);
  });
});

test.each(IMAGE_ATTACKS.filter(({ runs }) => runs === "always"))("$name is answered", async ({ input }) => {
  const service = await startService();
  const file = new File([Uint8Array.from(input())], "a.jpg");
  const answer = await post(service, "convert", { file, output_format: "png" });
  expect((await errorOf(answer))[1]).toBe("input_too_large");
  await expectSound(service);
});

test("a call that takes too long is ended, with its threads", async () => {
  const service = await startService({ timeLimit: 1 });
  const answer = await post(service, "convert", { file: pdfOf(200), output_format: "png", dpi: "600" });
  expect(await errorOf(answer)).toEqual([504, "timeout", { timeout: 1 }]);
  await eventually(() => expect(jobFolders(service)).toEqual([]));
});

test("a call that needs too much memory is ended, and the next one works", async () => {
  const service = await startService({ heapLimit: 32 });
  const [, code] = await errorOf(await post(service, "compress-pdf", { file: pdfOf(60_000) }));
  expect(code).toBe("out_of_memory");
  await expectSound(service);
});

test("several files are limited together", async () => {
  const service = await startService({ uploadLimit: 1_000_000 });
  const form = new FormData();
  for (let count = 0; count < 3; count++) form.append("file", new File([new Uint8Array(400_000)], "a.pdf"));
  expect(await errorOf(await post(service, "merge-pdf", form))).toEqual([
    413,
    "input_too_large",
    { largest_size: 1_000_000 },
  ]);
  await expectSound(service);
});

test("an image is not what it pretends to be: SVG and references to files are not read", async () => {
  const service = await startService();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>';
  const answer = await post(service, "convert", { file: new File([svg], "a.png"), output_format: "png" });
  expect((await errorOf(answer)).slice(0, 2)).toEqual([415, "unsupported_input"]);
});

test.each([
  ["of a parent", "../../../escaped.pdf"],
  ["of another folder", "/etc/escaped.pdf"],
  ["of Windows", "..\\escaped.pdf"],
  ["with a null character", "escaped\0b.pdf"],
  ["of 5,000 characters", `${"😀".repeat(5000)}escaped.pdf`],
])("a file with a name %s goes into the folder of its call only", async (_, name) => {
  const entries: RequestLog[] = [];
  const service = await startService({ onRequest: (entry) => entries.push(entry) });
  const file = new File([makePdf({ pages: 1 })], name);
  const answer = await post(service, "protect-pdf", { file, password: "key" });
  expect(answer.status).toBe(200);
  const { file_name, download_url } = await answer.json();
  expect(file_name).toMatch(/^protected-[^/\\\0]*\.pdf$/);
  expect((await fetch(download_url)).status).toBe(200);
  expect(readdirSync(service.folder)).toEqual(["results"]);
  expect(JSON.stringify(entries)).not.toContain("escaped");
});
