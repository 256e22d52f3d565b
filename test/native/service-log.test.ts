import { writeFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { installedPackage } from "../../service/folder-urls.ts";
import type { RequestLog } from "../../service/http/request-log.ts";
import { eventually } from "../support/eventually.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { Scratch } from "../support/native-tools.ts";
import { dial, errorOf, postForm, received, startService } from "../support/started-service.ts";

test("logs the bytes of each request of a connection", async () => {
  const entries: RequestLog[] = [];
  const { url } = await startService({ onRequest: (entry) => entries.push(entry) });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const body = "x".repeat(100_000);
  const send = (content: string) =>
    new Promise<string>((resolve, reject) => {
      const sent = httpRequest(`${url}/api/convert`, { method: "POST", agent }, (answer) =>
        text(answer).then(resolve, reject),
      );
      sent.on("error", reject);
      sent.end(content);
    });
  for (const content of [body, ""]) await send(content);
  await eventually(() => expect(entries).toHaveLength(2));
  const [large, small] = entries;
  expect(large).toMatchObject({
    method: "POST",
    operation: "/api/convert",
    status: 401,
    code: "unauthorized",
  });
  expect(large?.bytes_in).toBeGreaterThan(body.length);
  expect(large?.bytes_in).toBeLessThan(body.length + 1_000);
  expect(small?.bytes_in).toBeGreaterThan(50);
  expect(small?.bytes_in).toBeLessThan(1_000);
  expect(large?.bytes_out).toBe(small?.bytes_out);
});

test("logs the bytes of each pipelined request", async () => {
  const entries: RequestLog[] = [];
  const service = await startService({ onRequest: (entry) => entries.push(entry) });
  const socket = dial(service);
  const answers = received(socket);
  const get = (path: string, last = "") => `GET ${path} HTTP/1.1\r\nHost: a\r\n${last}\r\n`;
  socket.write(get("/openapi.json") + get("/healthz") + get("/healthz", "Connection: close\r\n"));
  const bytes = (await answers).length;
  await eventually(() => expect(entries).toHaveLength(3));
  const [contract, ...small] = entries.map((entry) => entry.bytes_out);
  for (const count of small) expect(count).toBeLessThan(2_000);
  expect((contract ?? 0) + small.reduce((sum, count) => sum + count, 0)).toBe(bytes);
});

test("reports a failure of a thread to the operator", async () => {
  const scratch = new Scratch();
  onTestFinished(() => scratch.remove());
  // A package without a worker.
  const index = join(scratch.directory, "index.js");
  writeFileSync(index, `export * from "${new URL("index.js", installedPackage())}";`);
  const onFailure = vi.fn();
  const packageUrl = pathToFileURL(index);
  const service = await startService({ packageUrl, onFailure });
  const file = new File([makePdf({ pages: 1 })], "a.pdf");
  const [status, code] = await errorOf(await postForm(service, { file, output_format: "png" }));
  expect([status, code]).toEqual([500, "internal_error"]);
  expect(onFailure).toHaveBeenCalledWith(expect.objectContaining({ code: "internal_error" }));
});
