import { resolveObjectURL } from "node:buffer";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Progress } from "../../../src/index.ts";
import { eventually } from "../../support/eventually.ts";
import { file, setUp } from "../../support/fake-client.ts";
import { done } from "../../support/fake-worker.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

describe("an aborted call", () => {
  test("starts no worker if its signal is aborted already", async () => {
    const { client, factory } = setUp();
    const signal = AbortSignal.abort("never mind");
    await expect(client.unlockPdf({ file } as never, { signal })).rejects.toBe("never mind");
    expect(factory.workers).toHaveLength(0);
  });

  test.each(["signal", "close"])("makes no URL if %s aborts it in onProgress", async (how) => {
    const { client, factory } = setUp();
    const make = vi.spyOn(URL, "createObjectURL");
    const controller = new AbortController();
    const abort = () => (how === "close" ? client.close() : controller.abort("never mind"));
    const onProgress = ({ phase }: Progress) => phase === "writing" && abort();
    const call = client.unlockPdf({ file, password: "a" }, { signal: controller.signal, onProgress });
    (await factory.job(0)).finish(done("made"));
    await expect(call).rejects.toBeDefined();
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
});

// It is in a cloud, or on a drive that sleeps.
test("a file that is never read does not keep a call from being aborted or closed", async () => {
  const { client, factory } = setUp();
  const told: Progress[] = [];
  let come = () => {};
  const comes = new Promise<void>((resolve) => {
    come = resolve;
  });
  class DistantFile extends File {
    override slice(start?: number, end?: number): Blob {
      return Object.assign(super.slice(start, end), { arrayBuffer: () => this.arrayBuffer() });
    }
    override async arrayBuffer(): Promise<ArrayBuffer> {
      await comes;
      return super.arrayBuffer();
    }
  }
  const params = { file: new DistantFile(["%PDF-1.7\n"], "far.pdf"), password: "a" };
  const controller = new AbortController();
  const onProgress = (progress: Progress) => told.push(progress);
  const aborted = client.unlockPdf(params, { signal: controller.signal, onProgress });
  controller.abort("never mind");
  await expect(aborted).rejects.toBe("never mind");
  const closed = client.unlockPdf(params);
  client.close();
  await expect(closed).rejects.toMatchObject({ code: "client_closed" });
  // The module that loads after the abort starts no worker.
  come();
  await new Promise((later) => setImmediate(later));
  expect([told, factory.workers]).toEqual([[], []]);
});
