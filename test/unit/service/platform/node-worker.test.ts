import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { NodeWorker, type WorkerSetup } from "../../../../service/platform/node-worker.ts";
import { StoredBlob, type StoredFile } from "../../../../service/platform/stored-blob.ts";

const folder = mkdtempSync(join(tmpdir(), "stayput-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
let scripts = 0;

/** Starts a worker. It ends with the test. */
function start(script: string, setup: Partial<WorkerSetup> = {}): NodeWorker {
  const path = join(folder, `script-${++scripts}.mjs`);
  writeFileSync(path, script);
  const worker = new NodeWorker(pathToFileURL(path), { folder, ...setup });
  onTestFinished(() => worker.terminate());
  return worker;
}

/** Returns the data of the next message. Rejects when the worker fails. */
function answer(worker: NodeWorker): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.addEventListener("message", (event) => resolve((event as MessageEvent).data), { once: true });
    worker.addEventListener("error", (event) => reject((event as ErrorEvent).message), { once: true });
  });
}

test("answers messages that were sent before its script has run", async () => {
  const worker = start(`addEventListener("message", ({ data }) => postMessage(data + 1));`);
  worker.postMessage(1);
  expect(await answer(worker)).toBe(2);
});

test("reads a file synchronously and returns a new one", async () => {
  const worker = start(`addEventListener("message", ({ data }) => {
    const text = new TextDecoder().decode(new FileReaderSync().readAsArrayBuffer(data.file));
    postMessage({ made: new File([data.file.slice(0, 2), text.toUpperCase()], "made.txt") });
  });`);
  worker.postMessage({ file: new StoredBlob(["content"]) });
  const { made } = (await answer(worker)) as { readonly made: StoredFile };
  expect([made.name, await made.text()]).toEqual(["made.txt", "coCONTENT"]);
});

test("starts workers of its own, with ports between them", async () => {
  const worker = start(`addEventListener("message", ({ data }) => {
    if (data.port) return data.port.postMessage("from the helper");
    const { port1, port2 } = new MessageChannel();
    const helper = new Worker(self.location.href, { type: "module" });
    port1.onmessage = ({ data }) => {
      postMessage(data);
      helper.terminate();
      port1.close();
    };
    helper.postMessage({ port: port2 }, [port2]);
  });`);
  worker.postMessage({});
  expect(await answer(worker)).toBe("from the helper");
});

test.each([
  ["throws when it is loaded", `throw new Error("no such luck");`, /no such luck/],
  ["cannot be loaded", `import "./absent.mjs";`, /absent\.mjs/],
  ["ends without an answer", "process.exit(3);", /exit code 3/],
])("reports one error of a worker that %s", async (_, script, message) => {
  const worker = start(script);
  const errors: unknown[] = [];
  worker.onerror = (event) => errors.push((event as ErrorEvent).message);
  await expect(answer(worker)).rejects.toMatch(message);
  expect(errors).toHaveLength(1);
});

test("reports a worker that needs more memory than its limit", async () => {
  const worker = start("const all = []; for (;;) all.push(new Array(1e4).fill(all.length));", {
    resourceLimits: { maxOldGenerationSizeMb: 32 },
  });
  await expect(answer(worker)).rejects.toMatch(/memory/);
});

test("loads files beside its script, and nothing else", async () => {
  writeFileSync(join(folder, "beside.wasm"), Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  const worker = start(`
    const tried = async (url) => {
      try { return (await fetch(new URL(url, import.meta.url))).status; } catch (error) { return error.name; }
    };
    const beside = await fetch(new URL("beside.wasm", import.meta.url));
    // With a type, the loader of modules would compile while it reads.
    const type = beside.headers.get("Content-Type");
    const module = await WebAssembly.compile(await beside.arrayBuffer());
    postMessage([
      type, module instanceof WebAssembly.Module, await tried("absent.wasm"),
      await tried("../outside"), await tried("http://127.0.0.1:9/"), await tried("data:,a"),
    ]);`);
  expect(await answer(worker)).toEqual([null, true, 404, "TypeError", "TypeError", "TypeError"]);
});
