import { readdirSync } from "node:fs";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { buildPackageOnce } from "../../scripts/built.mjs";
import { eventually } from "../support/eventually.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { Scratch } from "../support/native-tools.ts";
import { RoundRobin } from "../support/round-robin.ts";
import { COPY_KEY, ServiceCopy, strayResults, workingFolders } from "../support/service-copy.ts";

// Two copies of the service that share a results folder, behind a proxy.

const scratch = new Scratch();
beforeAll(buildPackageOnce);
afterAll(() => scratch.remove());

const RESULTS = join(scratch.directory, "results");
const headers = { Authorization: `Bearer ${COPY_KEY}` };
const BOUNDARY = "boundary";

/** Starts a copy. It ends with the test. */
async function startCopy(name: string): Promise<ServiceCopy> {
  const folders = { results: RESULTS, temporary: join(scratch.directory, name) };
  const copy = await ServiceCopy.start(folders);
  onTestFinished(async () => {
    await copy.end("SIGKILL");
  });
  return copy;
}

function formOf(pdf: Uint8Array): Buffer {
  const field = `--${BOUNDARY}\r\nContent-Disposition: form-data; name=`;
  return Buffer.concat([
    Buffer.from(`${field}"password"\r\n\r\nsesame\r\n${field}"file"; filename="a.pdf"\r\n\r\n`),
    pdf,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

/** A call whose form is not sent to its end yet. */
class BegunCall {
  readonly answer: Promise<{ readonly status: number | undefined; readonly body: unknown }>;
  readonly #request: ClientRequest;
  readonly #rest: Buffer;

  constructor(url: string, form: Buffer) {
    const half = form.length >> 1;
    this.#rest = form.subarray(half);
    this.#request = httpRequest(`${url}/api/protect-pdf`, {
      method: "POST",
      headers: {
        ...headers,
        "Content-Type": `multipart/form-data; boundary=${BOUNDARY}`,
        "Content-Length": form.length,
      },
    });
    this.answer = new Promise<IncomingMessage>((resolve, reject) => {
      this.#request.on("response", resolve);
      this.#request.on("error", reject);
    }).then(async (response) => ({ status: response.statusCode, body: JSON.parse(await text(response)) }));
    this.#request.write(form.subarray(0, half));
  }

  finish(): void {
    this.#request.end(this.#rest);
  }
}

/** Waits until a copy accepts no connection. */
function refuses({ url }: ServiceCopy): Promise<unknown> {
  const { hostname, port } = new URL(url);
  return eventually(async () => {
    const outcome = await new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      socket.on("connect", () => resolve("accepted"));
      socket.on("error", () => resolve("refused"));
      socket.on("close", () => resolve("closed"));
      socket.end();
    });
    expect(outcome).toBe("refused");
  });
}

test("copies answer for each other when one ends or is killed, and leave no files", async () => {
  const form = formOf(makePdf({ pages: 3 }));
  const [first, second] = [await startCopy("one"), await startCopy("two")];
  const proxy = await RoundRobin.start([first.url, second.url]);
  onTestFinished(() => proxy.close());

  const call = async () => {
    const begun = new BegunCall(proxy.url, form);
    begun.finish();
    return begun.answer;
  };
  const success = {
    status: 200,
    body: { success: true, download_url: expect.any(String), file_name: "protected-a.pdf" },
  };
  const finished = await call();
  expect(finished).toEqual(success);
  const { pathname, origin } = new URL((finished.body as { download_url: string }).download_url);
  expect(origin).toBe(proxy.url);
  for (const url of [proxy.url, first.url, second.url]) {
    const download = await fetch(url + pathname);
    expect([download.status, (await download.text()).slice(0, 5)]).toEqual([200, "%PDF-"]);
  }

  // Calls take turns: one runs in each copy.
  const begun = [new BegunCall(proxy.url, form), new BegunCall(proxy.url, form)];
  await eventually(() => expect([first.calls.length, second.calls.length]).toEqual([1, 1]));
  const ended = first.end("SIGTERM");
  await refuses(first);
  for (let index = 0; index < 3; index++) expect(await call()).toEqual(success);
  expect(first.calls).toHaveLength(1);
  for (const each of begun) each.finish();
  expect(await Promise.all(begun.map(({ answer }) => answer))).toEqual([success, success]);
  expect(await ended).toBe(0);
  expect(workingFolders(first.folders.temporary)).toEqual([]);

  const third = await startCopy("one");
  proxy.targets.splice(0, 1, third.url);
  const broken = [new BegunCall(proxy.url, form), new BegunCall(proxy.url, form)];
  await eventually(() => expect([third.calls.length, second.calls.length]).toEqual([1, 1]));
  expect(await second.end("SIGKILL")).toBe("SIGKILL");
  for (const each of broken) each.finish();
  const answers = await Promise.all(broken.map(({ answer }) => answer));
  const interrupted = {
    status: 429,
    body: {
      success: false,
      error: { code: "rate_limited", message: expect.any(String), details: { retry_after: 1 } },
    },
  };
  expect(answers.toSorted((one, other) => (one.status ?? 0) - (other.status ?? 0))).toEqual([
    success,
    interrupted,
  ]);
  expect(await call()).toEqual(success);

  expect(workingFolders(second.folders.temporary)).toHaveLength(1);
  const fourth = await startCopy("two");
  proxy.targets.splice(1, 1, fourth.url);
  expect(workingFolders(fourth.folders.temporary)).toHaveLength(1);
  expect(fourth.calls).toEqual([]);
  expect((await fetch(fourth.url + pathname)).status).toBe(200);
  for (const copy of [third, fourth]) expect(await copy.end("SIGTERM")).toBe(0);
  for (const { folders } of [third, fourth]) expect(workingFolders(folders.temporary)).toEqual([]);
  // Eight results of two files each.
  expect(strayResults(RESULTS)).toEqual([]);
  expect(readdirSync(RESULTS)).toHaveLength(16);
});
