import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "../../src/client.ts";
import type { CallOptions, Client, ClientOptions, Progress } from "../../src/index.ts";
import { Pool } from "../../src/pool/pool.ts";
import type { Script } from "./scripted-worker.ts";

const PDF = new File(["%PDF-1.7\n"], "input.pdf");

function scriptedWorker(): Worker {
  return new Worker(new URL("./scripted-worker.ts", import.meta.url), { type: "module" });
}

/** A client whose workers do as the password says, and how many it has started. */
function scriptedClient(options: ClientOptions = {}) {
  const createWorker = vi.fn(scriptedWorker);
  const client = createClient({ createWorker, ...options });
  onTestFinished(() => client.close());
  return { client, createWorker };
}

function run(client: Client, script: Script, options: CallOptions = {}) {
  return client.unlockPdf({ file: PDF, password: script }, options);
}

/** Runs a job, and gives the name of the worker that did it. */
async function answeringWorker(client: Client): Promise<string> {
  const { download_url } = await run(client, "answer");
  return (await fetch(download_url)).text();
}

/** Starts a job that hangs. Resolves once its worker is at it, to how the call will end. */
function hang(client: Client, signal?: AbortSignal): Promise<{ readonly outcome: Promise<unknown> }> {
  return new Promise((resolve) => {
    const onProgress = ({ phase }: Progress) => {
      if (phase === "working") resolve({ outcome });
    };
    const outcome = run(client, "hang", { signal, onProgress }).catch((reason: unknown) => reason);
  });
}

/** Resolves when the worker of that name has ended. */
async function ended(worker: string): Promise<void> {
  await navigator.locks.request(worker, () => undefined);
}

async function isAlive(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

afterEach(async () => {
  await caches.delete("scripted-worker");
});

describe("workers", () => {
  test("start with the first call and serve later calls", async () => {
    const { client, createWorker } = scriptedClient();
    expect(createWorker).not.toHaveBeenCalled();
    const first = await answeringWorker(client);
    expect(await answeringWorker(client)).toBe(first);
    expect(createWorker).toHaveBeenCalledTimes(1);
  });

  test("are at most maxWorkers", async () => {
    const { client, createWorker } = scriptedClient({ maxWorkers: 2 });
    const names = await Promise.all(Array.from({ length: 7 }, () => answeringWorker(client)));
    expect(new Set(names).size).toBe(2);
    expect(createWorker).toHaveBeenCalledTimes(2);
  });

  test("do not start for an invalid call", async () => {
    const { client, createWorker } = scriptedClient();
    await expect(client.splitPdf({ file: PDF, pages: "1,,2" })).rejects.toMatchObject({
      code: "invalid_page_selection",
    });
    await expect(client.splitPdf({ file: new Blob(["text"]), pages: "1" })).rejects.toMatchObject({
      code: "unsupported_input",
    });
    expect(createWorker).not.toHaveBeenCalled();
  });

  test("end when they are idle", async () => {
    const pool = new Pool({ source: scriptedWorker, idleMs: 1 });
    const file = await pool.run({ engine: "pdf/unlock", file: PDF, password: "answer" }, {});
    await ended(await file.text());
    const next = await pool.run({ engine: "pdf/unlock", file: PDF, password: "answer" }, {});
    expect(await next.text()).not.toBe(await file.text());
    pool.close();
  });
});

describe("an aborted call", () => {
  test("rejects with the signal's reason, and the worker is replaced", async () => {
    const { client } = scriptedClient({ maxWorkers: 1 });
    const worker = await answeringWorker(client);
    const controller = new AbortController();
    const { outcome } = await hang(client, controller.signal);
    const reason = new Error("the user changed their mind");
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    await ended(worker);
    expect(await answeringWorker(client)).not.toBe(worker);
  });

  test("rejects with an AbortError without a reason, like fetch", async () => {
    const { client } = scriptedClient();
    const controller = new AbortController();
    const { outcome } = await hang(client, controller.signal);
    controller.abort();
    expect(await outcome).toMatchObject({ name: "AbortError" });
  });

  test("leaves the queue and does not affect the running job", async () => {
    const { client, createWorker } = scriptedClient({ maxWorkers: 1 });
    const running = new AbortController();
    const { outcome } = await hang(client, running.signal);
    const queued = new AbortController();
    const waiting = run(client, "answer", { signal: queued.signal }).catch((reason: unknown) => reason);
    queued.abort("not needed");
    expect(await waiting).toBe("not needed");
    expect(createWorker).toHaveBeenCalledTimes(1);
    running.abort("nor this");
    expect(await outcome).toBe("nor this");
  });

  test("starts nothing when it is already aborted", async () => {
    const { client, createWorker } = scriptedClient();
    const signal = AbortSignal.abort("too late");
    await expect(run(client, "answer", { signal })).rejects.toBe("too late");
    expect(createWorker).not.toHaveBeenCalled();
  });
});

describe("a worker that fails", () => {
  test.each([
    ["crash", "internal_error"],
    ["run out of memory", "out_of_memory"],
  ] as const)("by a %s rejects its job with %s and is replaced", async (script, code) => {
    const { client } = scriptedClient({ maxWorkers: 1 });
    const worker = await answeringWorker(client);
    const failure = run(client, script);
    const next = answeringWorker(client);
    await expect(failure).rejects.toMatchObject({ name: "ServiceError", code });
    await ended(worker);
    expect(await next).not.toBe(worker);
  });

  test("by ending itself rejects its job, and is replaced", async () => {
    const createWorker = vi
      .fn(scriptedWorker)
      .mockImplementationOnce(
        () => new Worker(new URL("./ending-worker.ts", import.meta.url), { type: "module" }),
      );
    const { client } = scriptedClient({ createWorker, maxWorkers: 1 });
    const failure = client.unlockPdf({ file: PDF, password: "end yourself" });
    await expect(failure).rejects.toMatchObject({ name: "ServiceError", code: "internal_error" });
    await answeringWorker(client);
    expect(createWorker).toHaveBeenCalledTimes(2);
  });

  test("does not affect other jobs", async () => {
    const { client } = scriptedClient({ maxWorkers: 2 });
    const controller = new AbortController();
    const { outcome } = await hang(client, controller.signal);
    await expect(run(client, "crash")).rejects.toMatchObject({ code: "internal_error" });
    controller.abort("still here");
    expect(await outcome).toBe("still here");
  });

  test("to load rejects with internal_error and its URL, and the pool recovers", async () => {
    const missing = new URL("./no-such-worker.js", import.meta.url).href;
    const createWorker = vi
      .fn<() => Worker>(scriptedWorker)
      .mockImplementationOnce(() => new Worker(missing, { type: "module" }));
    const { client } = scriptedClient({ createWorker, maxWorkers: 1 });
    await expect(run(client, "answer")).rejects.toMatchObject({ code: "internal_error" });
    expect(await answeringWorker(client)).toBeTruthy();

    const { client: misled } = scriptedClient({ createWorker: undefined, workerUrl: missing });
    await expect(run(misled, "answer")).rejects.toMatchObject({
      code: "internal_error",
      details: { cause: expect.stringContaining(missing) },
    });
  });

  test("to be constructed rejects the same way", async () => {
    const createWorker = vi.fn(scriptedWorker).mockImplementationOnce(() => {
      throw new TypeError("no workers here");
    });
    const { client } = scriptedClient({ createWorker, maxWorkers: 1 });
    await expect(run(client, "answer")).rejects.toMatchObject({
      code: "internal_error",
      details: { cause: expect.stringContaining("no workers here") },
    });
    expect(await answeringWorker(client)).toBeTruthy();
  });
});

describe("a result", () => {
  test("is readable until it is released", async () => {
    const { client } = scriptedClient();
    const [kept, released] = [await run(client, "answer"), await run(client, "answer")];
    client.release(released);
    expect(await isAlive(released.download_url)).toBe(false);
    expect(await isAlive(kept.download_url)).toBe(true);
  });

  test("stays readable after its worker has ended", async () => {
    const { client } = scriptedClient({ maxWorkers: 1 });
    const result = await run(client, "answer");
    const worker = await (await fetch(result.download_url)).text();
    await run(client, "crash").catch(() => undefined);
    await ended(worker);
    expect(await (await fetch(result.download_url)).text()).toBe(worker);
  });

  test("that the browser could not store is made again", async () => {
    const { client } = scriptedClient();
    const { phases, onProgress } = recorder();
    const result = await run(client, `lose the file once: ${crypto.randomUUID()}`, { onProgress });
    expect(await isAlive(result.download_url)).toBe(true);
    expect(phases.filter((phase) => phase === "working")).toHaveLength(2);
  });

  test("that the browser cannot store twice returns out_of_memory", async () => {
    const { client } = scriptedClient();
    const { phases, onProgress } = recorder();
    await expect(run(client, "lose the file", { onProgress })).rejects.toMatchObject({
      code: "out_of_memory",
    });
    expect(phases.filter((phase) => phase === "working")).toHaveLength(2);
  });
});

test("reports progress from queued on, and an error of onProgress ends the call", async () => {
  const { client } = scriptedClient();
  const { phases, onProgress } = recorder();
  await run(client, "answer", { onProgress });
  expect(phases).toEqual(["queued", "working", "writing"]);

  const complaint = new Error("the observer's own");
  const complain = ({ phase }: Progress) => {
    if (phase === "working") throw complaint;
  };
  await expect(run(client, "hang", { onProgress: complain })).rejects.toBe(complaint);
});

test("a closed client ends all calls and refuses new ones", async () => {
  const { client, createWorker } = scriptedClient({ maxWorkers: 1 });
  const result = await run(client, "answer");
  const worker = await (await fetch(result.download_url)).text();
  const { outcome } = await hang(client);
  const queued = run(client, "answer").catch((reason: unknown) => reason);
  client.close();
  for (const call of [outcome, queued, run(client, "answer").catch((reason: unknown) => reason)]) {
    expect(await call).toMatchObject({ code: "client_closed" });
  }
  expect(await isAlive(result.download_url)).toBe(false);
  await ended(worker);
  expect(createWorker).toHaveBeenCalledTimes(1);
  client.close();
});

function recorder() {
  const phases: string[] = [];
  return { phases, onProgress: ({ phase }: Progress) => phases.push(phase) };
}
