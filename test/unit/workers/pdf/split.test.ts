import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import type { SplitBy } from "../../../../src/shared/protocol.ts";
import { throttledReport } from "../../../../src/shared/throttled-report.ts";
import { BlobSink } from "../../../../workers/io/blob-sink.ts";
import { split } from "../../../../workers/pdf/split.ts";
import { damagedOnTheWay } from "../../../support/fixtures/damaged-pdf.ts";
import { makePdf } from "../../../support/fixtures/pdf.ts";
import { contextOf } from "../../../support/memory-context.ts";

const MODIFIED = 1_700_000_000_000;

/** Splits a PDF, by a page selection or in another way. Returns the archive's files by name, and the reported progress. */
async function archiveOf(bytes: Uint8Array<ArrayBuffer>, by: SplitBy | string) {
  const sink = new BlobSink();
  const progress: (readonly [number, number])[] = [];
  let time = 0;
  const report = throttledReport(
    ({ done, total }) => progress.push([done, total]),
    () => (time += 1000),
  );
  const context = { ...contextOf(bytes, sink), lastModified: MODIFIED, report };
  await split(context, {
    by: typeof by === "string" ? { kind: "pages", pages: by } : by,
    name: "page",
  });
  return { files: unzipSync(new Uint8Array(await sink.toBlob().arrayBuffer())), progress };
}

test("writes a document for each item of the selection, and reports the pages", async () => {
  const { files, progress } = await archiveOf(makePdf({ pages: 12, ballastPerPage: 1000 }), "all");
  const names = Object.keys(files);
  expect([names[0], names.length, names.at(-1)]).toEqual(["page-01.pdf", 12, "page-12.pdf"]);
  expect(progress).toEqual(Array.from({ length: 12 }, (_, index) => [index + 1, 12]));
});

test("refuses more files than a split makes, before it writes one", async () => {
  const wrong = archiveOf(makePdf({ pages: 2 }), `${"2-,".repeat(150_000)}1`);
  await expect(wrong).rejects.toMatchObject({
    code: "input_too_large",
    details: { limit: "files", files: 150_001, largest_files: 150_000 },
  });
});

test("begins the archive again when it meets damage, and its progress never goes back", async () => {
  const { files, progress } = await archiveOf(damagedOnTheWay(), "1,1,1,2,1");
  const texts = Object.values(files).map((file) => Buffer.from(file).toString("latin1"));
  expect(texts).toHaveLength(5);
  const ofFirst = texts.filter((text) => text.includes("NEEDED"));
  expect(ofFirst).toHaveLength(4);
  for (const text of ofFirst) for (const part of ["Helvetica", "(note)"]) expect(text).toContain(part);
  expect(progress.map(([done]) => done)).toEqual([1, 2, 3, 3, 4, 5]);
});

test("writes a document for every so many pages, and one for the rest", async () => {
  const input = makePdf({ pages: 12 });
  const namesOf = async (count: number) =>
    Object.keys((await archiveOf(input, { kind: "every", count })).files);
  expect(await namesOf(5)).toEqual(["page-01-05.pdf", "page-06-10.pdf", "page-11-12.pdf"]);
  expect(await namesOf(11)).toEqual(["page-01-11.pdf", "page-12.pdf"]);
  expect(await namesOf(Number.MAX_SAFE_INTEGER)).toEqual(["page-01-12.pdf"]);
  expect(await namesOf(1)).toHaveLength(12);
});

test("writes documents of at most so many bytes, and reports the pages of finished documents", async () => {
  const input = makePdf({ pages: 12, ballastPerPage: 1000 });
  const { files, progress } = await archiveOf(input, { kind: "size", maxBytes: 3000 });
  const sizes = Object.values(files).map(({ length }) => length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(3000);
  expect(Object.keys(files).at(0)).toBe("page-01-08.pdf");
  expect(progress.at(-1)).toEqual([12, 12]);
  expect(progress).toHaveLength(sizes.length);
});

test.each([
  { kind: "every", count: 2 },
  { kind: "size", maxBytes: 1 },
] as const)("begins again when it meets damage, by $kind, too", async (by) => {
  const { files } = await archiveOf(damagedOnTheWay(), by);
  const text = Buffer.concat(Object.values(files)).toString("latin1");
  for (const part of ["NEEDED", "Helvetica", "(note)"]) expect(text).toContain(part);
});
