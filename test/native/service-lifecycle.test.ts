import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { RequestLog } from "../../service/http/request-log.ts";
import { Service } from "../../service/http/service.ts";
import { eventually } from "../support/eventually.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { Scratch } from "../support/native-tools.ts";
import { startProgram } from "../support/service-program.ts";
import {
  dial,
  errorOf,
  jobFolders,
  officeScript,
  openFiles,
  postForm,
  received,
  startService,
} from "../support/started-service.ts";

// What the service has beside the operations: its contract, its health, its log, its results and its end.

const PDF = new File([makePdf({ pages: 1 })], "secret-name.pdf");

/** Protects a PDF. */
function protect(service: Pick<Service, "url">, file = PDF, init: RequestInit = {}): Promise<Response> {
  const body = new FormData();
  body.append("file", file);
  body.append("password", "open-sesame");
  const headers = { Authorization: "Bearer secret" };
  return fetch(`${service.url}/api/protect-pdf`, { method: "POST", headers, body, ...init });
}

/** A LibreOffice that goes on when a file appears. */
function waitingOffice() {
  const scratch = new Scratch();
  onTestFinished(() => scratch.remove());
  const [started, mayEnd] = [scratch.path("started"), scratch.path("may-end")];
  const soffice = officeScript(`touch ${started}; while [ ! -e ${mayEnd} ]; do sleep 0.05; done`);
  return { soffice, started, mayEnd };
}

test("serves the contract, with its own URL and the one that callers know", async () => {
  const service = await startService();
  const contract = await (await fetch(`${service.url}/openapi.json`)).json();
  expect(contract).toMatchObject({ openapi: "3.1.0", servers: [{ url: service.url }] });
  expect(Object.keys(contract.paths)).toContain("/api/merge-pdf");
  const behindProxy = await startService({ publicUrl: "https://files.example/base/" });
  const answer = await (await fetch(`${behindProxy.url}/openapi.json`)).json();
  expect(answer.servers).toEqual([{ url: "https://files.example/base" }]);
  expect((await (await protect(behindProxy)).json()).download_url).toMatch(
    /^https:\/\/files\.example\/base\/download\/[\w-]{22}\/protected-secret-name\.pdf$/,
  );
});

test("says that it is healthy", async () => {
  const service = await startService();
  const response = await fetch(`${service.url}/healthz`);
  expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
  expect((await fetch(`${service.url}/healthz`, { method: "POST" })).status).toBe(405);
});

test("says that it is not when its folder of results is gone", async () => {
  const scratch = new Scratch();
  onTestFinished(() => scratch.remove());
  const results = scratch.path("results");
  const service = await startService({ results });
  rmSync(results, { recursive: true });
  const response = await fetch(`${service.url}/healthz`);
  expect([response.status, await response.json()]).toEqual([503, { status: "no results folder" }]);
});

test("logs requests, without names, contents, passwords and keys", async () => {
  const entries: RequestLog[] = [];
  const service = await startService({ onRequest: (entry) => entries.push(entry) });
  const done = await protect(service);
  const { download_url } = await done.json();
  await (await fetch(download_url)).arrayBuffer();
  await protect(service, PDF, { headers: { Authorization: "Bearer wrong-key" } });
  await fetch(`${service.url}/secret-path?password=open-sesame`);
  await eventually(() => expect(entries).toHaveLength(4));
  // An entry comes when the answer has left, so a later request may be before it.
  const of = (operation: string, status: number) =>
    entries.find((entry) => entry.operation === operation && entry.status === status);
  const protectedOne = of("/api/protect-pdf", 200);
  expect(protectedOne).toMatchObject({ method: "POST", id: done.headers.get("x-request-id") });
  expect(of("download", 200)).toMatchObject({ method: "GET" });
  expect(of("/api/protect-pdf", 401)).toMatchObject({ method: "POST", code: "unauthorized" });
  expect(of("other", 404)).toMatchObject({ method: "GET", code: "not_found" });
  for (const { time, milliseconds, bytes_out } of entries) {
    expect(new Date(time).toISOString()).toBe(time);
    expect(milliseconds).toBeGreaterThanOrEqual(0);
    expect(bytes_out).toBeGreaterThan(0);
  }
  expect(protectedOne?.bytes_in).toBeGreaterThan(PDF.size);
  expect(JSON.stringify(entries)).not.toMatch(/secret-name|open-sesame|wrong-key|secret-path/);
});

test("ends a download whose caller reads nothing", async () => {
  const entries: RequestLog[] = [];
  const service = await startService({
    stalledDownloadTime: 100,
    onRequest: (entry) => entries.push(entry),
    onFailure: (thrown) => expect(thrown).toBeUndefined(),
  });
  // More than the buffers of a connection.
  const file = new File([makePdf({ pages: 1, ballastPerPage: 30_000_000 })], "a.pdf");
  const { download_url } = await (await protect(service, file)).json();
  const socket = dial(service).pause();
  onTestFinished(() => void socket.destroy());
  socket.write(`GET ${new URL(download_url).pathname} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await eventually(() => expect(entries.map(({ operation }) => operation)).toContain("download"));
  const download = entries.find(({ operation }) => operation === "download");
  expect(download?.bytes_out).toBeLessThan(file.size);
});

test.skipIf(!existsSync("/proc/self/fd"))(
  "closes the files of pipelined downloads whose caller goes before their turn",
  async () => {
    const entries: RequestLog[] = [];
    const service = await startService({ onRequest: (entry) => entries.push(entry) });
    // More than the buffers of a connection.
    const file = new File([makePdf({ pages: 1, ballastPerPage: 30_000_000 })], "a.pdf");
    const { download_url } = await (await protect(service, file)).json();
    const socket = dial(service);
    socket.write(`GET ${new URL(download_url).pathname} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(3));
    await once(socket, "readable");
    socket.destroy();
    await eventually(() => expect(entries).toHaveLength(4));
    await eventually(() => expect(openFiles(service)).toEqual([]));
  },
);

test("answers downloads of another copy that shares its folder, and after a restart", async () => {
  const results = mkdtempSync(join(tmpdir(), "stayput-results-"));
  onTestFinished(() => rmSync(results, { recursive: true }));
  const [one, other] = [await startService({ results }), await startService({ results })];
  const { download_url } = await (await protect(one)).json();
  const path = new URL(download_url).pathname;
  const size = async (service: Service) => (await (await fetch(service.url + path)).arrayBuffer()).byteLength;
  const whole = await size(one);
  expect(whole).toBeGreaterThan(PDF.size);
  expect(await size(other)).toBe(whole);
  await one.close();
  await other.close();
  expect(await size(await startService({ results }))).toBe(whole);
});

test("lets running calls end after the signal to stop, and refuses new ones", async () => {
  const { soffice, started, mayEnd } = waitingOffice();
  const service = await startService({ soffice, timeLimit: 600_000 });
  const running = postForm(service);
  await eventually(() => expect(existsSync(started)).toBe(true));
  let isOver = false;
  const stopped = service.stop(600_000).then(() => {
    isOver = true;
  });
  // The connection is refused, or, if it was open, the call.
  const refused = await protect(service).then(errorOf, () => "no connection");
  if (refused !== "no connection") expect(refused).toEqual([429, "rate_limited", { retry_after: 5 }]);
  expect(isOver).toBe(false);
  writeFileSync(mayEnd, "");
  expect((await running).status).toBe(200);
  await stopped;
  expect(existsSync(service.folder)).toBe(false);
});

test("answers an upload that sends nothing after the signal to stop, without waiting for more of it", async () => {
  const service = await startService({ stalledUploadTime: 100, refusedUploadTime: 600_000 });
  const stalled = dial(service);
  const answer = received(stalled);
  stalled.write(
    "POST /api/convert HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer secret\r\nContent-Length: 1000\r\n" +
      "Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n",
  );
  await eventually(() => expect(jobFolders(service)).toHaveLength(1));
  await service.stop(600_000);
  expect(await answer).toMatch(/^HTTP\/1\.1 429 .*\r\nRetry-After: 5\r\n.*"rate_limited"/s);
});

test("ends calls that take too long after the signal to stop", async () => {
  const { soffice, started } = waitingOffice();
  const service = await startService({ soffice, timeLimit: 600_000 });
  const running = expect(postForm(service)).rejects.toThrow("fetch failed");
  await eventually(() => expect(existsSync(started)).toBe(true));
  await service.stop(1);
  await running;
  expect(existsSync(service.folder)).toBe(false);
});

test("leaves no folder when it cannot start", async () => {
  const service = await startService();
  const port = Number(new URL(service.url).port);
  const own = () => readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`));
  const before = own();
  await expect(Service.start({ key: "secret" }, { port })).rejects.toMatchObject({ code: "EADDRINUSE" });
  expect(own()).toEqual(before);
  expect(jobFolders(service)).toEqual([]);
});

test("reports errors of its server, and goes on", async () => {
  const listen = vi.spyOn(Server.prototype, "listen");
  onTestFinished(() => listen.mockRestore());
  const onFailure = vi.fn();
  const service = await startService({ onFailure });
  const [server] = listen.mock.contexts as Server[];
  const errors = [new Error("EMFILE: too many open files, accept"), new Error("again")];
  for (const error of errors) server?.emit("error", error);
  expect(onFailure.mock.calls).toEqual(errors.map((error) => [error]));
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
});

test("goes on when nobody reads its log any more", async () => {
  const { url, stopReading } = await startProgram([], { STAYPUT_SERVICE_KEY: "secret" });
  stopReading();
  for (let count = 0; count < 3; count++) expect((await protect({ url })).status).toBe(200);
});
