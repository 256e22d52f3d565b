import { resolveObjectURL } from "node:buffer";
import { createHash } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { Downloads } from "../../../src/downloads.ts";
import { VERSION } from "../../../src/shared/version.ts";
import { file, setUp } from "../../support/fake-client.ts";
import { done, type FakeFactory } from "../../support/fake-worker.ts";
import { refusal } from "../../support/refusal.ts";

/** Makes a result by a job that is the first of its client. */
async function firstResult({ client, factory }: ReturnType<typeof setUp>, content = "%PDF-1.7\nfirst") {
  const call = client.unlockPdf({ file, password: "a" });
  (await factory.job(0)).finish(done(content));
  return call;
}

/** Returns the inputs of a job: their names and their contents. */
async function inputsOf(factory: FakeFactory, index: number) {
  const { job, finish } = await factory.job(index);
  finish(done("%PDF-1.7\nnext"));
  const inputs = "inputs" in job ? job.inputs : [job];
  return Promise.all(inputs.map((input) => input.file.text()));
}

describe("a result as a file", () => {
  test("is the input of the next call, which takes its name", async () => {
    const set = setUp();
    const result = await firstResult(set);
    const call = set.client.protectPdf({ file: result, password: "b" });
    expect(await inputsOf(set.factory, 1)).toEqual(["%PDF-1.7\nfirst"]);
    expect((await call).file_name).toBe("protected-unlocked-report.final.pdf");
  });

  test("stands in a list beside other files", async () => {
    const set = setUp();
    const result = await firstResult(set);
    const call = set.client.mergePdf({ file: [file, result] });
    expect(await inputsOf(set.factory, 1)).toEqual(["%PDF-1.7\n", "%PDF-1.7\nfirst"]);
    await call;
  });

  test("is inspected, and drawn", async () => {
    const set = setUp();
    const result = await firstResult(set);
    const call = set.client.inspect({ file: result });
    const inspecting = await set.factory.job(1);
    inspecting.finish({ ok: true, value: { format: "pdf", size: 14 } });
    expect((await call).size).toBe(14);
    const pages = set.client.renderPages({ file: result }).next();
    const drawing = await set.factory.job(2);
    expect(await drawing.job.file.text()).toBe("%PDF-1.7\nfirst");
    drawing.finish({ ok: true, value: null });
    await pages;
  });

  test("may be released as soon as the call has begun", async () => {
    const set = setUp();
    const result = await firstResult(set);
    const call = set.client.splitPdf({ file: result, pages: "1" });
    set.client.release(result);
    expect(await inputsOf(set.factory, 1)).toEqual(["%PDF-1.7\nfirst"]);
    await call;
  });

  test("may be released before a loop starts", async () => {
    const set = setUp();
    const result = await firstResult(set);
    const pages = set.client.readText({ file: result });
    set.client.release(result);
    const first = pages.next();
    const reading = await set.factory.job(1);
    expect(await reading.job.file.text()).toBe("%PDF-1.7\nfirst");
    reading.finish({ ok: true, value: null });
    await first;
  });

  test("is invalid_parameter when it is released or of another client", async () => {
    const set = setUp();
    const { client } = set;
    const released = await firstResult(set);
    client.release(released);
    const others = await firstResult(setUp());
    const wrong = refusal("invalid_parameter", { parameter: "file" }, "not of this client");
    for (const result of [released, others]) {
      await expect(client.protectPdf({ file: result, password: "b" })).rejects.toThrow(wrong);
      await expect(client.mergePdf({ file: [file, result] })).rejects.toThrow(wrong);
      await expect(client.inspect({ file: result })).rejects.toThrow(wrong);
      await expect(client.renderPages({ file: result }).next()).rejects.toThrow(wrong);
    }
  });
});

describe("disposing of a result", () => {
  test("releases it", async () => {
    const set = setUp();
    const result = await firstResult(set);
    result[Symbol.dispose]();
    expect(resolveObjectURL(result.download_url)).toBeUndefined();
    expect(() => set.client.blob(result)).toThrow(refusal("invalid_parameter"));
  });

  test("leaves a result at a service alone, and does not show in its data", () => {
    const result = new Downloads().resultAt("https://service.example/1", "a.pdf");
    result[Symbol.dispose]();
    const data = { success: true, download_url: "https://service.example/1", file_name: "a.pdf" };
    expect(Reflect.ownKeys({ ...result })).toEqual(Object.keys(data));
    expect(structuredClone(result)).toEqual(data);
  });

  test("is not offered where the platform has no Symbol.dispose", () => {
    vi.stubGlobal("Symbol", {});
    const result = new Downloads().resultAt("https://service.example/1", "a.pdf");
    vi.unstubAllGlobals();
    expect(Reflect.ownKeys(result)).toEqual(["success", "download_url", "file_name"]);
  });
});

describe("a receipt", () => {
  const digest = (text: string) => createHash("sha256").update(text).digest("hex");

  test("tells the operation, the place, and the hashes of all files", async () => {
    const { client, factory } = setUp();
    const call = client.mergePdf({ file: [file, new File(["%PDF-1.7\nother"], "b.pdf")] });
    (await factory.job(0)).finish(done("%PDF-1.7\nmerged"));
    const receipt = await client.receipt(await call);
    expect(receipt).toEqual({
      operation: "mergePdf",
      place: "device",
      version: VERSION,
      inputs: [
        { size: 9, sha256: digest("%PDF-1.7\n") },
        { size: 14, sha256: digest("%PDF-1.7\nother") },
      ],
      output: { size: 15, sha256: digest("%PDF-1.7\nmerged") },
    });
    expect(structuredClone(receipt)).toEqual(JSON.parse(JSON.stringify(receipt)));
  });

  test("hashes a file of several megabytes", async () => {
    const content = `%PDF-1.7\n${"x".repeat(2_500_000)}`;
    const set = setUp();
    const { output } = await set.client.receipt(await firstResult(set, content));
    expect(output).toEqual({ size: content.length, sha256: digest(content) });
  });

  test.each(["released", "of another client"])(
    "is invalid_parameter for a result that is %s",
    async (kind) => {
      const set = setUp();
      const result = await firstResult(set);
      if (kind === "released") set.client.release(result);
      const { client } = kind === "released" ? set : setUp();
      await expect(client.receipt(result)).rejects.toMatchObject(
        refusal("invalid_parameter", { parameter: "result" }),
      );
    },
  );
});
