import { describe, expect, test } from "vitest";
import type { SplitOptions } from "../../../../src/shared/protocol.ts";
import { runJob } from "../../../../workers/engines.ts";
import { splitBytes } from "../../../support/engine.ts";
import { damagedOnTheWay } from "../../../support/fixtures/damaged-pdf.ts";
import { makePdf } from "../../../support/fixtures/pdf.ts";
import { ChangedBlob, CountingReader, ReadableBlob } from "../../../support/readable-blob.ts";

/** Runs the engine. The caller takes `most` parts. */
async function parts(file: Blob, options: Partial<SplitOptions> = {}, most = Number.POSITIVE_INFINITY) {
  const taken: { readonly file: File; readonly pages: readonly number[] }[] = [];
  const ended = runJob(
    { engine: "pdf/split-parts", file, by: { kind: "every", count: 2 }, name: "report", ...options },
    {
      reader: new CountingReader(),
      helpers: 0,
      deliver: async (item) => {
        if ("pages" in item) taken.push(item);
        return taken.length < most;
      },
    },
  );
  return {
    taken,
    error: await ended.then(
      () => undefined,
      (thrown: unknown) => thrown,
    ),
  };
}

describe("splitParts", () => {
  test("delivers the files that a zip would have, with their pages", async () => {
    const pdf = makePdf({ pages: 5 });
    const { taken, error } = await parts(new ReadableBlob(pdf));
    expect(error).toBeUndefined();
    const files = await splitBytes(pdf, { by: { kind: "every", count: 2 }, name: "report" });
    expect(taken.map(({ file }) => file.name)).toEqual(files.map(({ name }) => name));
    expect(taken.map(({ pages }) => pages)).toEqual([[1, 2], [3, 4], [5]]);
    expect(taken[0]?.file.type).toBe("application/pdf");
    expect(await taken[2]?.file.bytes()).toEqual(files[2]?.bytes);
  });

  test("makes no more parts than the caller takes", async () => {
    const { taken, error } = await parts(new ReadableBlob(makePdf({ pages: 9 })), {}, 2);
    expect(error).toBeUndefined();
    expect(taken).toHaveLength(2);
  });

  test("refuses a document whose damage shows after the first part", async () => {
    const { taken, error } = await parts(new ReadableBlob(damagedOnTheWay()), {
      by: { kind: "every", count: 1 },
    });
    expect(taken).toHaveLength(1);
    expect(error).toMatchObject({
      code: "damaged_file",
      message: expect.stringContaining("Repair it first"),
    });
  });

  test("delivers no part of a file that has changed on disk", async () => {
    const file = new ChangedBlob(makePdf({ pages: 2, ballastPerPage: 1_200_000 }));
    const { taken, error } = await parts(file);
    expect(taken).toEqual([]);
    expect(error).toMatchObject({ code: "damaged_file" });
  });
});
