import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import type { RequestLog } from "../../service/http/request-log.ts";
import { receiveUpload } from "../../service/http/upload.ts";
import { eventually } from "../support/eventually.ts";
import {
  DOCUMENT,
  dial,
  errorOf,
  jobFolders,
  openFiles,
  postForm,
  received,
  startService,
} from "../support/started-service.ts";

// How the service receives uploads.

test("disconnects a refused sender that continues to send", async () => {
  const service = await startService({ uploadLimit: 1_000_000 });
  const socket = dial(service);
  socket.write("POST /api/convert HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
  const sendOn = () => {
    while (socket.writable && socket.write(`10000\r\n${"a".repeat(65_536)}\r\n`));
  };
  socket.on("drain", sendOn);
  sendOn();
  await received(socket);
});

/** The headers of a request whose sender waits with the body. */
function expectant(path: string, { key = "secret", length = 1_000 } = {}): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\n` +
    `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n`
  );
}

test.each([
  ["401 for a wrong key", expectant("/api/convert", { key: "wrong" }), 401],
  ["404 for an unknown path", expectant("/api/other"), 404],
  ["413 for too large a file", expectant("/api/convert", { length: 100_000_000 }), 413],
])("answers a sender that waits with the body at once: %s", async (_, headers, status) => {
  // Bodies that the service reads to no purpose keep this test waiting.
  const service = await startService({ uploadLimit: 1_000_000, refusedUploadTime: 600_000 });
  const socket = dial(service);
  socket.write(headers);
  expect(await received(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} .*\r\nConnection: close\r\n`, "s"));
  expect(jobFolders(service)).toEqual([]);
});

test("asks a sender that waits with the body for it", async () => {
  const { url } = await startService();
  const form = '--b\r\nContent-Disposition: form-data; name="output_format"\r\n\r\npdf\r\n--b--\r\n';
  const headers = {
    Authorization: "Bearer secret",
    "Content-Type": "multipart/form-data; boundary=b",
    "Content-Length": form.length,
    Expect: "100-continue",
  };
  const upload = httpRequest(`${url}/api/convert`, { method: "POST", headers });
  upload.flushHeaders();
  await once(upload, "continue");
  upload.end(form);
  const [response] = await once(upload, "response");
  expect(await text(response)).toContain('"details":{"parameter":"file"}');
});

test("leaves no files of an upload that breaks off", async () => {
  const service = await startService();
  const upload = httpRequest(`${service.url}/api/convert`, {
    method: "POST",
    headers: {
      Authorization: "Bearer secret",
      "Content-Type": "multipart/form-data; boundary=b",
      "Content-Length": "1000",
    },
  });
  upload.on("error", () => {});
  upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a.docx"\r\n\r\nPK');
  await eventually(() => expect(jobFolders(service)).toHaveLength(1));
  upload.destroy();
  await eventually(() => expect(jobFolders(service)).toEqual([]));
  expect((await postForm(service)).status).toBe(200);
});

test("leaves no files of an upload that is broken in its first packet", async () => {
  const entries: RequestLog[] = [];
  const service = await startService({ onRequest: (entry) => entries.push(entry) });
  const socket = dial(service);
  const headers = "Authorization: Bearer secret\r\nContent-Type: multipart/form-data; boundary=b";
  const chunk = "no length\r\n--b\r\n";
  socket.write(
    `POST /api/convert HTTP/1.1\r\nHost: a\r\n${headers}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
  );
  expect(await received(socket)).toMatch(/^HTTP\/1.1 400 /);
  await eventually(() => expect(entries).toHaveLength(1));
  await eventually(() => expect(jobFolders(service)).toEqual([]));
});

test("accepts a file name with half of a surrogate pair", async () => {
  const body = new Blob([
    '--b\r\nContent-Disposition: form-data; name="output_format"\r\n\r\npdf\r\n',
    "--b\r\nContent-Disposition: form-data; name=\"file\"; filename*=utf-16le''%00%D8a%00.%00p%00\r\n\r\n",
    DOCUMENT,
    "\r\n--b--\r\n",
  ]);
  const headers = { Authorization: "Bearer secret", "Content-Type": "multipart/form-data; boundary=b" };
  const answer = await postForm(await startService(), {}, { body, headers });
  expect(await answer.json()).toMatchObject({ success: true, file_name: "\ufffda.pdf" });
});

test.each(["form-data", "form-data; name", 'form-data; filename="a.docx"'])(
  "refuses a part without a name, and keeps running: %s",
  async (disposition) => {
    const headers = { Authorization: "Bearer secret", "Content-Type": "multipart/form-data; boundary=b" };
    const body = `--b\r\nContent-Disposition: ${disposition}\r\n\r\na\r\n--b--\r\n`;
    const service = await startService();
    // Vitest fails the test when the parser throws outside of the request.
    const refused = await postForm(service, {}, { body, headers });
    expect(await errorOf(refused)).toEqual([400, "invalid_parameter", { parameter: "body" }]);
    expect(jobFolders(service)).toEqual([]);
  },
);

test.each([
  ["before the first part", ""],
  [
    "in a file that was not chosen",
    '--b\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n',
  ],
  ["after the last part", "--b--\r\n"],
])("refuses a body without a length that is too long %s", async (_, beginning) => {
  const service = await startService({ uploadLimit: 1_000_000 });
  const headers = { Authorization: "Bearer secret", "Content-Type": "multipart/form-data; boundary=b" };
  const body = new Blob([beginning, new Uint8Array(10_000_000)]).stream();
  const refused = await postForm(service, {}, { body, headers, duplex: "half" } as RequestInit);
  expect(await errorOf(refused)).toEqual([413, "input_too_large", { largest_size: 1_000_000 }]);
});

test("refuses a form that ends in an empty file field, and keeps running", async () => {
  const service = await startService();
  for (const disposition of [
    'name="file"; filename=""',
    'name="file"\r\nContent-Type: application/octet-stream',
  ]) {
    const headers = { Authorization: "Bearer secret", "Content-Type": "multipart/form-data; boundary=b" };
    const body = `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\ncut`;
    // Vitest fails the test when the parser throws outside of the request.
    const refused = await postForm(service, {}, { body, headers });
    expect(await errorOf(refused)).toEqual([400, "invalid_parameter", { parameter: "body" }]);
  }
});

test.skipIf(!existsSync("/proc/self/fd"))("closes the files of refused and aborted uploads", async () => {
  const service = await startService({ uploadLimit: 1_000_000 });
  const large = new File([new Uint8Array(3_000_000)], "a.docx");
  await postForm(service, { file: large, output_format: "pdf" });
  const many = Object.fromEntries(Array.from({ length: 40_010 }, (_, index) => [`field${index}`, ""]));
  await postForm(service, { file: new File([new Uint8Array(500_000)], "a.docx"), ...many });
  const socket = dial(service);
  socket.write(
    "POST /api/convert HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer secret\r\nContent-Length: 100000\r\n" +
      'Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; ' +
      `filename="a.docx"\r\n\r\n${"a".repeat(70_000)}`,
  );
  await eventually(() => expect(openFiles(service)).toHaveLength(1));
  socket.destroy();
  await eventually(() => expect([...openFiles(service), ...jobFolders(service)]).toEqual([]));
});

test.skipIf(!existsSync("/dev/full"))(
  "rejects with the error of the disk when it cannot write a file",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "stayput-full-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    symlinkSync("/dev/full", join(folder, "upload-0"));
    const form = new FormData();
    form.append("file", DOCUMENT);
    const sent = new Request("http://a", { method: "POST", body: form });
    const request = Object.assign(Readable.from([Buffer.from(await sent.arrayBuffer())]), {
      headers: { "content-type": sent.headers.get("content-type") ?? "" },
    });
    const { signal } = new AbortController();
    const upload = receiveUpload(request, { folder, limitBytes: 1_000_000, signal });
    await expect(upload).rejects.toMatchObject({ code: "ENOSPC" });
  },
);

test("ends an upload whose caller goes after its last byte, before all is read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stayput-gone-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const headers = { "content-type": "multipart/form-data; boundary=b" };
  const request = Object.assign(new Readable({ read: () => {} }), { headers, complete: true });
  request.push('--b\r\nContent-Disposition: form-data; name="file"; filename="a.docx"\r\n\r\nPK');
  const { signal } = new AbortController();
  const upload = receiveUpload(request, { folder, limitBytes: 1_000_000, signal });
  request.destroy();
  await expect(upload).rejects.toMatchObject({ code: "invalid_parameter" });
});
