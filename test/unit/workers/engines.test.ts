import { unzipSync } from "fflate";
import { PDFDocument } from "pdf-lib";
import { describe, expect, test, vi } from "vitest";
import type { FileEngine, Job } from "../../../src/shared/protocol.ts";
import { runJob } from "../../../workers/engines.ts";
import { makePdf } from "../../support/fixtures/pdf.ts";
import { catalogOf, pageOf, pdfOf, streamOf } from "../../support/fixtures/pdf-objects.ts";
import { ChangedBlob, CountingReader, ReadableBlob } from "../../support/readable-blob.ts";

/** Pages of 300 KB: large enough to be passed on as slices. */
const pdf = new ReadableBlob(makePdf({ pages: 5, ballastPerPage: 300_000 }));
const password = "secret";

async function run(job: Job<FileEngine>) {
  const phases = new Set<string>();
  const made = await runJob(job, {
    reader: new CountingReader(),
    helpers: 0,
    report: (phase) => phases.add(phase),
  });
  return { made, phases, bytes: new Uint8Array(await made.arrayBuffer()) };
}

async function pageCount(bytes: Uint8Array): Promise<number> {
  return (await PDFDocument.load(bytes)).getPageCount();
}

describe("each engine, over a Blob", () => {
  test("protect, then unlock", async () => {
    const locked = await run({ engine: "pdf/protect", file: pdf, password });
    expect(locked.made.type).toBe("application/pdf");
    expect(locked.phases.size).toBeGreaterThan(0);
    await expect(pageCount(locked.bytes)).rejects.toThrow("encrypted");
    const file = new ReadableBlob(locked.bytes);
    const unlocked = await run({ engine: "pdf/unlock", file, password });
    expect(unlocked.made.type).toBe("application/pdf");
    expect(await pageCount(unlocked.bytes)).toBe(5);
    await expect(run({ engine: "pdf/unlock", file, password: "wrong" })).rejects.toMatchObject({
      code: "wrong_password",
    });
  });

  test("split", async () => {
    const { made, bytes } = await run({
      engine: "pdf/split",
      file: pdf,
      by: { kind: "pages", pages: "2,4-,2" },
      name: "Bericht",
    });
    expect(made.type).toBe("application/zip");
    const files = unzipSync(bytes);
    expect(Object.keys(files)).toEqual(["Bericht-2.pdf", "Bericht-4-5.pdf", "Bericht-2 (2).pdf"]);
    const counts = await Promise.all(Object.values(files).map(pageCount));
    expect(counts).toEqual([1, 2, 1]);
  });

  test("split: what all documents share is not held for each", async () => {
    const letterhead = ",-./0123".repeat(125_000);
    const file = new ReadableBlob(
      pdfOf([
        ...catalogOf("3 0 R"),
        pageOf(3, "/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>"),
        streamOf(4, "/I Do"),
        { num: 5, body: "<</Type/XObject/Subtype/Image/Filter/DCTDecode>>", stream: letterhead },
      ]),
    );
    const slice = vi.spyOn(file, "slice");
    const pages = Array.from({ length: 60 }, () => "1").join(",");
    const by = { kind: "pages", pages } as const;
    const { made, bytes } = await run({ engine: "pdf/split", file, by, name: "a" });
    const sliced = slice.mock.results.reduce((sum, { value }) => sum + value.size, 0);
    expect(made.size).toBeGreaterThan(60 * letterhead.length);
    expect(made.size - sliced).toBeLessThan(20 * letterhead.length);
    const files = Object.values(unzipSync(bytes));
    expect(files).toHaveLength(60);
    expect(files.every((one) => Buffer.compare(one, files[0] as Uint8Array) === 0)).toBe(true);
    expect(await pageCount(files[0] as Uint8Array)).toBe(1);
  });

  test("repair", async () => {
    const { made, bytes } = await run({ engine: "pdf/repair", file: pdf, pages: "5,1-2" });
    expect(made.type).toBe("application/pdf");
    expect(await pageCount(bytes)).toBe(3);
  });
});

describe("an input that has changed since it was last read", () => {
  const split = { engine: "pdf/split", by: { kind: "pages", pages: "all" }, name: "a" } as const;
  const repair = { engine: "pdf/repair" } as const;

  test.each([split, repair])("takes with it what $engine makes of its parts", async (job) => {
    // Shorter streams are deflated.
    const file = new ChangedBlob(makePdf({ pages: 2, ballastPerPage: 1_200_000 }));
    const made = runJob({ ...job, file }, { reader: new CountingReader(), helpers: 0 });
    await expect(made).rejects.toMatchObject({
      code: "damaged_file",
      message: expect.stringContaining("changed"),
    });
  });

  test.each([split, repair])("does no harm to what $engine has copied", async (job) => {
    const file = new ChangedBlob(makePdf({ pages: 5 }));
    expect((await run({ ...job, file })).made.size).toBeGreaterThan(1000);
  });
});
