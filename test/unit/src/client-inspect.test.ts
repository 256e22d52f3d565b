import { describe, expect, test } from "vitest";
import { file, setUp } from "../../support/fake-client.ts";

describe("inspect", () => {
  test("returns the value of the worker", async () => {
    const { client, factory } = setUp();
    const call = client.inspect({ file, password: "a", outline: true });
    const { job, finish } = await factory.job(0);
    expect(job).toMatchObject({ engine: "pdf/inspect", password: "a", outline: true });
    const value = { format: "pdf", size: 9, pages: 1 } as const;
    finish({ ok: true, value });
    expect(await call).toEqual(value);
  });

  test("of an image names its format", async () => {
    const { client, factory } = setUp();
    const call = client.inspect({ file: new Blob(["GIF89a"]) });
    const { job, finish } = await factory.job(0);
    expect(job).toMatchObject({ engine: "image/inspect", from: "gif" });
    finish({ ok: true, value: { format: "gif", size: 6, images: 1 } });
    expect((await call).images).toBe(1);
  });

  test("of an office file starts no worker", async () => {
    const { client, factory } = setUp();
    expect(await client.inspect({ file: new Blob(["{\\rtf1}"]) })).toEqual({ format: "rtf", size: 7 });
    expect(factory.workers).toHaveLength(0);
  });

  test.each([
    [{}, "missing_parameter"],
    [{ file, password: 7 }, "invalid_parameter"],
    [{ file, outline: "chapters" }, "invalid_parameter"],
    [{ file: new Blob(["text"]) }, "unsupported_input"],
  ])("of %j rejects with %s", async (params, code) => {
    const { client } = setUp();
    await expect(client.inspect(params as never)).rejects.toMatchObject({ code });
  });

  test("rejects with the worker's error, with the reason of its signal, and after close()", async () => {
    const { client, factory } = setUp();
    const call = client.inspect({ file });
    const error = { code: "wrong_password", message: "Wrong.", details: {} } as const;
    (await factory.job(0)).finish({ ok: false, error });
    await expect(call).rejects.toMatchObject(error);
    const controller = new AbortController();
    const aborted = client.inspect({ file }, { signal: controller.signal });
    controller.abort("enough");
    await expect(aborted).rejects.toBe("enough");
    client.close();
    await expect(client.inspect({ file })).rejects.toMatchObject({ code: "client_closed" });
  });
});
