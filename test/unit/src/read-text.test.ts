import { describe, expect, test } from "vitest";
import type { PageText } from "../../../src/index.ts";
import { file, setUp } from "../../support/fake-client.ts";

const read: PageText = {
  page: 3,
  text: "Hello\n",
  words: [{ text: "Hello", x: 1, y: 2, width: 30, height: 12 }],
  unknown: false,
};

describe("readText", () => {
  test("yields what the worker reads, and passes the fields on", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const pages = client.readText({ file, pages: "3", password: "key" });
    const first = pages.next();
    const job = await factory.job(0);
    expect(job.job).toMatchObject({ engine: "pdf/read-text", pages: "3", password: "key" });
    void job.report({ delivered: read });
    expect(await first).toEqual({ done: false, value: read });
    job.finish({ ok: true, value: null });
    expect(await pages.next()).toEqual({ done: true, value: undefined });
  });

  test.each([
    [{ pages: "x" }, "invalid_page_selection"],
    [{ file: undefined }, "missing_parameter"],
    [{ dpi: 72 }, "invalid_parameter"],
    [{ file: new Blob(["\x89PNG\r\n\x1a\n".padEnd(40)]) }, "unsupported_input"],
  ])("throws for wrong fields before a worker starts: %o is %s", async (fields, code) => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    await expect(client.readText({ file, ...fields } as never).next()).rejects.toMatchObject({ code });
    expect(factory.workers).toEqual([]);
  });
});
