import { expect, test, vi } from "vitest";
import { bufferSource } from "../../../../workers/io/source.ts";
import { BrokenStructure } from "../../../../workers/pdf/file/cross-reference.ts";
import { PdfDocument } from "../../../../workers/pdf/file/document.ts";
import { withRebuild } from "../../../../workers/pdf/open.ts";
import { makePdf } from "../../../support/fixtures/pdf.ts";

const open = () => PdfDocument.open(bufferSource(makePdf({ pages: 1 })));

test("begins again with the rebuilt document when an object is not in its place", async () => {
  const work = vi.fn(async ({ isRebuilt }: PdfDocument) => {
    if (!isRebuilt) throw new BrokenStructure("object 3 is not where the cross-reference says");
    return "done";
  });
  expect(await withRebuild(open(), work)).toBe("done");
  expect(work).toHaveBeenCalledTimes(2);
});

test("throws any other error, and does not begin again", async () => {
  const error = new TypeError("not about the file");
  const work = vi.fn(() => Promise.reject(error));
  await expect(withRebuild(open(), work)).rejects.toBe(error);
  expect(work).toHaveBeenCalledOnce();
});
