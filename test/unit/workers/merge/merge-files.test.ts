import { expect, test, vi } from "vitest";
import { throttledReport } from "../../../../src/shared/throttled-report.ts";
import { BlobSink } from "../../../../workers/io/blob-sink.ts";
import { bufferSource } from "../../../../workers/io/source.ts";
import { mergeFiles } from "../../../../workers/merge/merge-files.ts";
import { damagedOnTheWay } from "../../../support/fixtures/damaged-pdf.ts";
import { makePdf } from "../../../support/fixtures/pdf.ts";
import { objectTexts } from "../../../support/made-texts.ts";
import { contextOf } from "../../../support/memory-context.ts";

const imageToPdf = vi.hoisted(() => vi.fn());
vi.mock("../../../../workers/image/to-pdf/image-to-pdf.ts", () => ({ imageToPdf }));

test("converts each image once, and its progress never goes back, when a later file is damaged", async () => {
  const image = makePdf({ pages: 1 });
  imageToPdf.mockImplementation(async ({ sink }) => sink.write(image));
  const damaged = damagedOnTheWay();
  const sink = new BlobSink();
  let time = 0;
  const progress: number[] = [];
  const report = throttledReport(
    ({ done }) => progress.push(done),
    () => (time += 1000),
  );
  const files = { pdf: new Blob([damaged]), png: new Blob(["image"]) };
  const open = (file: Blob) => bufferSource(file === files.pdf ? damaged : image);
  const input = (format: keyof typeof files, name: string) => ({ file: files[format], format, name });
  const context = { ...contextOf(damaged, sink), open, report };
  await mergeFiles(context, { inputs: [input("png", "one"), input("png", "two"), input("pdf", "three")] });
  expect(imageToPdf).toHaveBeenCalledTimes(2);
  expect(progress).toEqual(progress.toSorted((one, other) => one - other));
  const merged = objectTexts(new Uint8Array(await sink.toBlob().arrayBuffer()));
  // Only the rebuilt document has its annotation.
  expect([...merged.values()].join("\n")).toContain("(note)");
});
