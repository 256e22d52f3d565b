import { resolveObjectURL } from "node:buffer";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startWorker, type WorkerScript, workerSource } from "../../../../src/pool/worker-source.ts";

/** A worker that records how it is made. */
class RecordingWorker {
  static readonly made: { readonly url: unknown; readonly type: string | undefined }[] = [];
  constructor(url: unknown, options?: WorkerOptions) {
    RecordingWorker.made.push({ url, type: options?.type });
  }
}

beforeEach(() => {
  RecordingWorker.made.length = 0;
  vi.stubGlobal("Worker", RecordingWorker);
  vi.stubGlobal("origin", "https://app.example");
  vi.stubGlobal("location", { href: "https://app.example/tools/" });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("the worker comes from", () => {
  const assetUrl = "https://app.example/assets/";

  test.each([
    ["assetUrl", { assetUrl }, "https://app.example/assets/worker.js"],
    ["workerUrl, also beside assetUrl", { assetUrl, workerUrl: "w.js" }, "w.js"],
  ])("%s", (_, options, url) => {
    startWorker(workerSource(options), {});
    expect(RecordingWorker.made).toEqual([{ url, type: "module" }]);
  });

  test("a trusted URL, which stays an object", () => {
    const workerUrl = { toJSON: () => "w.js", toString: () => "w.js" };
    startWorker(workerSource({ workerUrl }), {});
    expect(RecordingWorker.made[0]?.url).toBe(workerUrl);
  });

  test("createWorker before all others", () => {
    const createWorker = () => new Worker("own.js");
    startWorker(workerSource({ createWorker, assetUrl, workerUrl: "w.js" }), {});
    expect(RecordingWorker.made).toEqual([{ url: "own.js", type: undefined }]);
  });

  test("the package by default, and its URL is recorded", () => {
    const script: WorkerScript = {};
    startWorker(workerSource({}), script);
    expect(script.url).toMatch(/\/workers\/worker\.ts$/);
  });
});

describe("a worker on another origin", () => {
  const textOf = (url: unknown) => resolveObjectURL(String(url))?.text();

  test.each([
    ["module", 'import "https://cdn.example/worker.js";'],
    ["classic", 'importScripts("https://cdn.example/classic.js");'],
  ] as const)("is imported by a Blob as a %s script, and by the same Blob again", async (type, code) => {
    const url = type === "module" ? "https://cdn.example/worker.js" : "https://cdn.example/classic.js";
    const script: WorkerScript = {};
    const source = () => new Worker(url, { type });
    expect(startWorker(source, script)).toBeInstanceOf(RecordingWorker);
    startWorker(source, {});
    const [first, second] = RecordingWorker.made;
    expect(await textOf(first?.url)).toBe(code);
    expect(first?.type).toBe(type);
    expect(second).toEqual(first);
    expect(script).toEqual({ url, throughBlob: true });
  });
});

test("the global Worker is restored, also when the start fails", () => {
  const failing = () => {
    throw new Error("refused");
  };
  expect(() => startWorker(failing, {})).toThrow("refused");
  expect(globalThis.Worker).toBe(RecordingWorker);
});
