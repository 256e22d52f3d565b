import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { SplitPart } from "../../../src/index.ts";
import { file, setUp } from "../../support/fake-client.ts";
import type { FakeJob } from "../../support/fake-worker.ts";

const part = (page: number): SplitPart => ({
  file: new File(["%PDF-"], `report-${page}.pdf`, { type: "application/pdf" }),
  pages: [page],
});

/** Does the job of a worker that makes so many parts. */
async function make(job: FakeJob, count: number): Promise<number> {
  let made = 0;
  while (made < count && (await job.report({ delivered: part(++made) })) === true);
  job.finish({ ok: true, value: null });
  return made;
}

describe("splitParts", () => {
  test("yields the parts in order, and passes the fields of a split to the worker", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    // Node clones a File without its name. A test in Chromium looks at it.
    const taken: (readonly number[])[] = [];
    const loop = (async () => {
      const fields = { file, every: 1, rotate: 90, password: "key" } as const;
      for await (const { pages } of client.splitParts(fields)) taken.push(pages);
    })();
    const job = await factory.job(0);
    expect(job.job).toMatchObject({
      engine: "pdf/split-parts",
      by: { kind: "every", count: 1 },
      rotate: "90",
      password: "key",
    });
    await make(job, 3);
    await loop;
    expect(taken).toEqual([[1], [2], [3]]);
  });

  test("ends the job when the loop is left", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const left = (async () => {
      for await (const { pages } of client.splitParts({ file, pages: "all" })) if (pages[0] === 2) break;
    })();
    expect(await make(await factory.job(0), 9)).toBeLessThan(5);
    await left;
    expect(factory.workers[0]?.hasEnded).toBe(false);
  });

  test("throws out_of_memory for a part that the browser could not store", async () => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const next = client.splitParts({ file, pages: "1" }).next();
    const job = await factory.job(0);
    const read = vi.spyOn(Blob.prototype, "arrayBuffer").mockRejectedValue(new Error("gone"));
    onTestFinished(() => read.mockRestore());
    void job.report({ delivered: part(1) });
    await expect(next).rejects.toMatchObject({ code: "out_of_memory" });
  });

  test.each([
    [{}, "missing_parameter", "pages"],
    [{ every: 2, pages: "1" }, "invalid_parameter", "pages"],
    [{ pages: "1,,2" }, "invalid_page_selection", undefined],
    [{ every: 2, dpi: 72 }, "invalid_parameter", "dpi"],
  ])("throws for wrong fields before a worker starts: %o is %s", async (fields, code, parameter) => {
    const { client, factory } = setUp({ maxWorkers: 1 });
    const next = client.splitParts({ file, ...fields } as never).next();
    await expect(next).rejects.toMatchObject({ code, ...(parameter && { details: { parameter } }) });
    expect(factory.workers).toEqual([]);
  });
});
