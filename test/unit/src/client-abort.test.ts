import { resolveObjectURL } from "node:buffer";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Progress } from "../../../src/index.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf, file, setUp } from "../../support/fake-client.ts";
import { done } from "../../support/fake-worker.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("an aborted call", () => {
  test("starts no worker if its signal is aborted already", async () => {
    const { client, factory } = setUp();
    const signal = AbortSignal.abort("never mind");
    await expect(client.unlockPdf({ file } as never, { signal })).rejects.toBe("never mind");
    expect(factory.workers).toHaveLength(0);
  });

  test("makes no URL if onProgress aborts it", async () => {
    const { client, factory } = setUp();
    const make = vi.spyOn(URL, "createObjectURL");
    const controller = new AbortController();
    const onProgress = ({ phase }: Progress) => phase === "writing" && controller.abort("never mind");
    const call = client.unlockPdf({ file, password: "a" }, { signal: controller.signal, onProgress });
    (await factory.job(0)).finish(done("made"));
    await expect(call).rejects.toBe("never mind");
    expect(make).not.toHaveBeenCalled();
  });

  test.each(["signal", "close"])(
    "revokes the URL if %s aborts it while the browser stores the result",
    async (how) => {
      const { client, factory } = setUp();
      const controller = new AbortController();
      const urls: string[] = [];
      const makeUrl = URL.createObjectURL;
      vi.spyOn(URL, "createObjectURL").mockImplementation((made) => {
        const url = makeUrl(made);
        urls.push(url);
        queueMicrotask(() => (how === "close" ? client.close() : controller.abort("never mind")));
        return url;
      });
      const call = client.unlockPdf({ file, password: "a" }, { signal: controller.signal });
      (await factory.job(0)).finish(done("made"));
      const failure = await call.catch((thrown: unknown) => thrown);
      if (how === "close") expect(failure).toMatchObject({ code: "client_closed" });
      else expect(failure).toBe("never mind");
      expect(urls).toHaveLength(1);
      await eventually(() => expect(urls.map((url) => resolveObjectURL(url))).toEqual([undefined]));
    },
  );

  test("starts no worker if it is aborted while the file is read", async () => {
    const { client, factory } = setUp();
    const controller = new AbortController();
    const call = client.unlockPdf({ file, password: "a" }, { signal: controller.signal });
    controller.abort("never mind");
    await expect(call).rejects.toBe("never mind");
    expect(factory.workers).toHaveLength(0);
  });

  test("rejects with the reason instead of the error of the file", async () => {
    const { client } = setUp();
    const controller = new AbortController();
    const call = client.unlockPdf({ file: new Blob(["text"]), password: "a" }, { signal: controller.signal });
    controller.abort("never mind");
    await expect(call).rejects.toBe("never mind");
  });

  test("ends its worker", async () => {
    const { client, factory } = setUp();
    const controller = new AbortController();
    const call = client.unlockPdf({ file, password: "a" }, { signal: controller.signal });
    const { worker } = await factory.job(0);
    controller.abort();
    await expect(call).rejects.toBe(controller.signal.reason);
    expect(worker.hasEnded).toBe(true);
  });

  test("revokes the URL if it is aborted while the URL is made", async () => {
    const { client, factory } = setUp();
    const controller = new AbortController();
    const createUrl = URL.createObjectURL;
    const urls: string[] = [];
    const spy = vi.spyOn(URL, "createObjectURL").mockImplementationOnce((made) => {
      controller.abort("never mind");
      urls.push(createUrl(made));
      return urls[0] ?? "";
    });
    const call = client.unlockPdf({ file, password: "a" }, { signal: controller.signal });
    (await factory.job(0)).finish(done("made"));
    await expect(call).rejects.toBe("never mind");
    spy.mockRestore();
    expect(urls).toHaveLength(1);
    await eventually(() => expect(urls.map((url) => resolveObjectURL(url))).toEqual([undefined]));
  });
});

describe("a file that is never read", () => {
  /** A file that is in a cloud, or on a drive that sleeps. */
  class DistantFile extends File {
    readonly #comes: Promise<unknown>;
    constructor(content: string, comes: Promise<unknown>) {
      super([content], "far.pdf");
      this.#comes = comes;
    }
    override slice(start?: number, end?: number): Blob {
      return Object.assign(super.slice(start, end), { arrayBuffer: () => this.arrayBuffer() });
    }
    override async arrayBuffer(): Promise<ArrayBuffer> {
      await this.#comes;
      return super.arrayBuffer();
    }
  }

  test.each([
    ["unlockPdf", { password: "a" }],
    ["protectPdf", { password: "a" }],
    ["splitPdf", { pages: "1" }],
    ["convert", { output_format: "jpg" }],
  ] as const)("does not keep %s from being aborted or closed", async (method, fields) => {
    const { client, factory } = setUp();
    const told: Progress[] = [];
    let come = () => {};
    const comes = new Promise<void>((resolve) => {
      come = resolve;
    });
    const params = { file: new DistantFile("%PDF-1.7\n", comes), ...fields };
    const controller = new AbortController();
    const aborted = client[method](params as never, {
      signal: controller.signal,
      onProgress: (progress) => told.push(progress),
    });
    controller.abort("never mind");
    await expect(aborted).rejects.toBe("never mind");
    const closed = callOf(client, method, params);
    client.close();
    await expect(closed).rejects.toMatchObject({ code: "client_closed" });
    // What comes too late starts nothing.
    come();
    await new Promise((later) => setImmediate(later));
    expect([told, factory.workers]).toEqual([[], []]);
  });
});
