import { expose } from "comlink";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../../../support/eventually.ts";

/** How the workers of a test do their tasks. */
type Work = (task: string, mayHang: (is: boolean) => void) => string | Promise<string>;

const PATIENCE = 75_000;

/** A new one for each test: it keeps helpers for the next work. */
let crew: typeof import("../../../../workers/parallel/helper-pool.ts");
let work: Work;
let workers: FakeWorker[] = [];

/** A worker of this script, which runs in the test. */
class FakeWorker extends EventTarget {
  hasEnded = false;
  onerror: ((event: Event) => void) | null = null;
  readonly #here: MessagePort;
  readonly #there: MessagePort;

  /** With what. */
  readonly started: readonly unknown[];

  constructor(...how: readonly unknown[]) {
    super();
    this.started = how;
    const { port1, port2 } = new MessageChannel();
    this.#here = port1;
    this.#there = port2;
    const api = {
      async help(_: unknown, port: MessagePort) {
        await crew.serveTasks<string, string>(port, (task, mayHang) => work(task, mayHang));
        port.close();
      },
    };
    expose(api, port2);
    port2.start();
    port1.addEventListener("message", ({ data }) =>
      this.dispatchEvent(new MessageEvent("message", { data })),
    );
    port1.start();
    workers.push(this);
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    this.#here.postMessage(message, transfer);
  }

  terminate(): void {
    this.hasEnded = true;
    this.#here.close();
    this.#there.close();
  }
}

beforeEach(async () => {
  vi.resetModules();
  crew = await import("../../../../workers/parallel/helper-pool.ts");
  workers = [];
  work = (task) => task.toUpperCase();
  vi.stubGlobal("self", { location: { href: "https://app.example/worker.js" } });
  vi.stubGlobal("Worker", FakeWorker);
});

afterEach(() => {
  vi.useRealTimers();
  for (const worker of workers) worker.terminate();
  vi.unstubAllGlobals();
});

function call() {
  const [helper] = crew.callHelpers<string, string, unknown>(1, "help", {}, PATIENCE);
  if (helper === undefined) throw new Error("there is no helper");
  return helper;
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
])("a worker that is %s calls helpers that are so, too", (_, options, importScripts) => {
  vi.stubGlobal("self", { location: { href: "https://app.example/worker.js" }, importScripts });
  call();
  expect(workers.map(({ started }) => started)).toEqual([["https://app.example/worker.js", options]]);
});

describe("a helper", () => {
  test("does one task after another, and the next work in the same worker", async () => {
    const helper = call();
    expect(helper.isResponsive).toBe(false);
    expect(await Promise.all([helper.ask("a"), helper.ask("b")])).toEqual(["A", "B"]);
    expect(helper.isResponsive).toBe(true);
    helper.release();
    expect(await helper.ask("c")).toBeUndefined();
    const next = call();
    expect(next.isResponsive).toBe(false);
    expect(await next.ask("d")).toBe("D");
    expect(workers).toHaveLength(1);
  });

  test("that fails at a task answers with nothing, and is ended", async () => {
    work = () => {
      throw new Error("a bug");
    };
    const helper = call();
    expect(await helper.ask("a")).toBeUndefined();
    await eventually(() => expect(workers[0]?.hasEnded).toBe(true));
    expect(await helper.ask("b")).toBeUndefined();
  });

  test("that fails at a task of earlier work does the present one all the same", async () => {
    let fail = () => {};
    const failing = new Promise<void>((_, reject) => {
      fail = () => reject(new Error("a bug"));
    });
    work = async (task) => {
      if (task === "earlier") await failing;
      return task.toUpperCase();
    };
    const earlier = call();
    const asked = earlier.ask("earlier");
    earlier.release();
    expect(await asked).toBeUndefined();
    const present = call();
    expect(await present.ask("a")).toBe("A");
    fail();
    expect(await present.ask("b")).toBe("B");
    expect(await present.ask("c")).toBe("C");
    expect(workers).toHaveLength(1);
    expect(workers[0]?.hasEnded).toBe(false);
  });

  test("that is doubted has to prove itself again", async () => {
    const helper = call();
    await helper.ask("a");
    helper.suspect();
    // It has been asked for nothing.
    expect(helper.isResponsive).toBe(true);
    const asked = helper.ask("b");
    helper.suspect();
    expect(helper.isResponsive).toBe(false);
    await asked;
    expect(helper.isResponsive).toBe(true);
    helper.release();
    expect(workers[0]?.hasEnded).toBe(false);
  });

  test("that is let go while it is doubted is not used again", async () => {
    const helper = call();
    await helper.ask("a");
    work = () => new Promise(() => {});
    const asked = helper.ask("b");
    helper.suspect();
    helper.release();
    expect(await asked).toBeUndefined();
    expect(workers[0]?.hasEnded).toBe(true);
    work = (task) => task;
    expect(await call().ask("c")).toBe("c");
    expect(workers).toHaveLength(2);
  });

  test("to which a task cannot be sent does the others", async () => {
    const helper = call();
    const unsendable = (() => {}) as unknown as string;
    await expect(helper.ask(unsendable)).rejects.toMatchObject({ name: "DataCloneError" });
    expect(await helper.ask("a")).toBe("A");
  });

  test("that cannot be loaded answers with nothing", async () => {
    const helper = call();
    const asked = helper.ask("a");
    workers[0]?.onerror?.(new Event("error", { cancelable: true }));
    expect(await asked).toBeUndefined();
  });

  test("that does not come back from a task is ended over that one", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    work = (task, mayHang) => {
      mayHang(true);
      if (task === "endless") {
        // What comes after it on the same way has been heard after it.
        setImmediate(() => setImmediate(begun));
        return new Promise(() => {});
      }
      mayHang(false);
      return task;
    };
    const helper = call();
    expect(await helper.ask("short")).toBe("short");
    vi.advanceTimersByTime(PATIENCE);
    const asked = helper.ask("endless").catch((thrown: unknown) => thrown);
    const next = helper.ask("next");
    await hasBegun;
    expect(workers[0]?.hasEnded).toBe(false);
    vi.advanceTimersByTime(PATIENCE);
    expect(await asked).toBeInstanceOf(crew.HelperStuck);
    expect(await next).toBeUndefined();
    expect(workers[0]?.hasEnded).toBe(true);
  });

  test("that is let go while it may hang is not used again", async () => {
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    work = (_, mayHang) => {
      mayHang(true);
      setImmediate(() => setImmediate(begun));
      return new Promise(() => {});
    };
    const helper = call();
    const asked = helper.ask("endless");
    await hasBegun;
    helper.release();
    expect(await asked).toBeUndefined();
    expect(workers[0]?.hasEnded).toBe(true);
  });
});

test("without workers there are no helpers", () => {
  vi.stubGlobal(
    "Worker",
    class {
      constructor() {
        throw new Error("the policy forbids it");
      }
    },
  );
  expect(crew.callHelpers(2, "help", {})).toEqual([]);
});
