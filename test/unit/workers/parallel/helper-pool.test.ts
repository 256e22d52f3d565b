import { expose } from "comlink";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { HelperStalled } from "../../../../workers/parallel/helper.ts";
import { type HelperKind, HelperPool } from "../../../../workers/parallel/helper-pool.ts";
import { taskServer } from "../../../../workers/parallel/task-server.ts";
import { eventually } from "../../../support/eventually.ts";

/** How the helpers of a test do their tasks. */
type Work = (task: string, mayHang: (is: boolean) => void) => string | Promise<string>;

const HANG_TIMEOUT_MS = 75_000;

let pool = new HelperPool();
let work: Work;
let workers: FakeWorker[] = [];

/** What the workers offer. */
const api = {
  async help(kind: HelperKind, _: unknown, port: MessagePort) {
    if (kind !== "heic/tiles") throw new Error(`there is no ${kind}`);
    await taskServer<string, string>(port, (task, mayHang) => work(task, mayHang));
    port.close();
  },
};

/** A worker that runs in the thread of the test, and the parameters of its constructor. */
interface FakeWorker extends MessagePort {
  readonly started: readonly unknown[];
  hasEnded: boolean;
  onerror: ((event: Event) => void) | null;
  terminate(): void;
}

function fakeWorker(...started: readonly unknown[]): FakeWorker {
  const { port1, port2 } = new MessageChannel();
  expose(api, port2);
  const worker: FakeWorker = Object.assign(port1, {
    ...{ started, hasEnded: false, onerror: null },
    terminate() {
      worker.hasEnded = true;
      port1.close();
      port2.close();
    },
  });
  workers.push(worker);
  return worker;
}

beforeEach(() => {
  pool = new HelperPool();
  workers = [];
  work = (task) => task.toUpperCase();
  vi.stubGlobal("self", { location: { href: "https://app.example/worker.js" } });
  vi.stubGlobal("Worker", fakeWorker);
});

afterEach(() => {
  vi.useRealTimers();
  for (const worker of workers) worker.terminate();
  vi.unstubAllGlobals();
});

function lease(kind: HelperKind = "heic/tiles") {
  const options = { count: 1, kind, request: {}, hangTimeoutMs: HANG_TIMEOUT_MS };
  const [helper] = pool.lease<string, string>(options);
  if (helper === undefined) throw new Error("no worker was started");
  return helper;
}

/** Work that begins in a step that may hang, and never ends; and when the notice of that has arrived. */
function hangingWork() {
  let begun = () => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const hang = (mayHang: (is: boolean) => void) => {
    mayHang(true);
    setImmediate(() => setImmediate(begun));
    return new Promise<string>(() => {});
  };
  return { hasBegun, hang };
}

const noScripts = () => {
  throw new TypeError("modules import no scripts");
};

test.each([
  ["a module", { type: "module" }, noScripts],
  ["a module in Firefox", { type: "module" }, (...urls: string[]) => urls.length > 0 && noScripts()],
  [
    "a classic script",
    {},
    (...urls: string[]) => {
      if (urls.some((url) => !URL.canParse(url))) throw new DOMException("no URL", "SyntaxError");
    },
  ],
])("a worker that is %s starts workers of the same type", (_, options, importScripts) => {
  vi.stubGlobal("self", { location: { href: "https://app.example/worker.js" }, importScripts });
  lease();
  expect(workers.map(({ started }) => started)).toEqual([["https://app.example/worker.js", options]]);
});

describe("a helper", () => {
  test("does one task after another, and is leased again after its release", async () => {
    const helper = lease();
    expect(helper.isResponsive).toBe(false);
    expect(await Promise.all([helper.ask("a"), helper.ask("b")])).toEqual(["A", "B"]);
    expect(helper.isResponsive).toBe(true);
    helper.release();
    expect(await helper.ask("c")).toBeUndefined();
    const next = lease();
    expect(next.isResponsive).toBe(false);
    expect(await next.ask("d")).toBe("D");
    expect(workers).toHaveLength(1);
  });

  test("that fails in a task answers undefined, and is ended", async () => {
    work = () => {
      throw new Error("a bug");
    };
    const helper = lease();
    expect(await helper.ask("a")).toBeUndefined();
    await eventually(() => expect(workers[0]?.hasEnded).toBe(true));
    expect(await helper.ask("b")).toBeUndefined();
  });

  test("survives the failure of a task of an earlier lease", async () => {
    let fail = () => {};
    const failing = new Promise<void>((_, reject) => {
      fail = () => reject(new Error("a bug"));
    });
    work = async (task) => {
      if (task === "earlier") await failing;
      return task.toUpperCase();
    };
    const earlier = lease();
    const asked = earlier.ask("earlier");
    earlier.release();
    expect(await asked).toBeUndefined();
    const present = lease();
    expect(await present.ask("a")).toBe("A");
    fail();
    expect(await present.ask("b")).toBe("B");
    expect(await present.ask("c")).toBe("C");
    expect(workers).toHaveLength(1);
    expect(workers[0]?.hasEnded).toBe(false);
  });

  test("that is suspect becomes responsive with its next answer", async () => {
    const helper = lease();
    await helper.ask("a");
    helper.suspect();
    // It has no open task.
    expect(helper.isResponsive).toBe(true);
    const asked = helper.ask("b");
    helper.suspect();
    expect(helper.isResponsive).toBe(false);
    await asked;
    expect(helper.isResponsive).toBe(true);
    helper.release();
    expect(workers[0]?.hasEnded).toBe(false);
  });

  test("that is suspect when it is released is ended", async () => {
    const helper = lease();
    await helper.ask("a");
    work = () => new Promise(() => {});
    const asked = helper.ask("b");
    helper.suspect();
    helper.release();
    expect(await asked).toBeUndefined();
    expect(workers[0]?.hasEnded).toBe(true);
    work = (task) => task;
    expect(await lease().ask("c")).toBe("c");
    expect(workers).toHaveLength(2);
  });

  test("rejects a task that cannot be sent, and does the others", async () => {
    const helper = lease();
    const unsendable = (() => {}) as unknown as string;
    await expect(helper.ask(unsendable)).rejects.toMatchObject({ name: "DataCloneError" });
    expect(await helper.ask("a")).toBe("A");
  });

  test("without a task server for the kind answers undefined, and is ended", async () => {
    const helper = lease("pdf/pages");
    expect(await helper.ask("a")).toBeUndefined();
    expect(workers[0]?.hasEnded).toBe(true);
  });

  test("that cannot be loaded answers undefined", async () => {
    const helper = lease();
    const asked = helper.ask("a");
    workers[0]?.onerror?.(new Event("error", { cancelable: true }));
    expect(await asked).toBeUndefined();
  });

  test("that hangs in a task rejects that one, and is ended", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const { hasBegun, hang } = hangingWork();
    work = (task, mayHang) => {
      if (task === "endless") return hang(mayHang);
      mayHang(true);
      mayHang(false);
      return task;
    };
    const helper = lease();
    expect(await helper.ask("short")).toBe("short");
    vi.advanceTimersByTime(HANG_TIMEOUT_MS);
    const asked = helper.ask("endless").catch((thrown: unknown) => thrown);
    const next = helper.ask("next");
    await hasBegun;
    expect(workers[0]?.hasEnded).toBe(false);
    vi.advanceTimersByTime(HANG_TIMEOUT_MS);
    expect(await asked).toBeInstanceOf(HelperStalled);
    expect(await next).toBeUndefined();
    expect(workers[0]?.hasEnded).toBe(true);
  });

  test("that may hang when it is released is ended", async () => {
    const { hasBegun, hang } = hangingWork();
    work = (_, mayHang) => hang(mayHang);
    const helper = lease();
    const asked = helper.ask("endless");
    await hasBegun;
    helper.release();
    expect(await asked).toBeUndefined();
    expect(workers[0]?.hasEnded).toBe(true);
  });
});

test("a lease is empty where a policy forbids workers", () => {
  vi.stubGlobal(
    "Worker",
    class {
      constructor() {
        throw new DOMException("the policy forbids it", "SecurityError");
      }
    },
  );
  expect(pool.lease({ count: 2, kind: "heic/tiles", request: {} })).toEqual([]);
});
