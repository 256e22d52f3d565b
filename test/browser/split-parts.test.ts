import { describe, expect, onTestFinished, test } from "vitest";
import { createClient, type SplitPart } from "../../src/index.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { blobOf, newClient } from "./pictures.ts";

const report = () => new File([makePdf({ pages: 5 })], "report.pdf");

describe("splitParts", () => {
  test("yields files with name, type and pages, which can be used on", async () => {
    const client = newClient();
    const parts: SplitPart[] = [];
    for await (const part of client.splitParts({ file: report(), every: 2 })) parts.push(part);
    expect(parts.map(({ file, pages }) => [file.name, file.type, pages])).toEqual([
      ["report-1-2.pdf", "application/pdf", [1, 2]],
      ["report-3-4.pdf", "application/pdf", [3, 4]],
      ["report-5.pdf", "application/pdf", [5]],
    ]);
    const counts = parts.map(async ({ file }) => (await client.inspect({ file })).pages);
    expect(await Promise.all(counts)).toEqual([2, 2, 1]);
  });

  test("opens a protected file by its password", async () => {
    const client = newClient();
    const file = await blobOf(await client.protectPdf({ file: report(), password: "key" }));
    await expect(client.splitParts({ file, pages: "1" }).next()).rejects.toMatchObject({
      code: "password_required",
    });
    const { value } = await client.splitParts({ file, pages: "1", password: "key" }).next();
    expect(await client.inspect({ file: value?.file ?? file })).toMatchObject({ pages: 1, encrypted: false });
  });

  test("ends its job when the loop is left, or its signal aborts", async () => {
    const client = createClient({ maxWorkers: 1 });
    onTestFinished(() => client.close());
    const file = new File([makePdf({ pages: 3000 })], "long.pdf");
    for await (const { pages } of client.splitParts({ file, pages: "all" })) if (pages[0] === 3) break;
    const controller = new AbortController();
    const reason = new Error("enough");
    const loop = (async () => {
      for await (const { pages } of client.splitParts({ file, every: 1 }, { signal: controller.signal })) {
        if (pages[0] === 2) controller.abort(reason);
      }
    })();
    await expect(loop).rejects.toBe(reason);
    // The only worker is free.
    expect((await client.inspect({ file: report() })).pages).toBe(5);
  });
});
