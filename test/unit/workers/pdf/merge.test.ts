import { describe, expect, it, vi } from "vitest";
import type { Report } from "../../../../src/shared/throttled-report.ts";
import { bufferSource } from "../../../../workers/io/source.ts";
import { type MergeInput, merge } from "../../../../workers/pdf/merge.ts";
import { mergeBytes, protectBytes } from "../../../support/engine.ts";
import { damagedOnTheWay } from "../../../support/fixtures/damaged-pdf.ts";
import { makePdf } from "../../../support/fixtures/pdf.ts";
import { objectTexts, textOf } from "../../../support/made-texts.ts";
import { contextOf } from "../../../support/memory-context.ts";
import { MemorySink } from "../../../support/memory-sink.ts";

const inputOf = (bytes: Uint8Array, title: string): MergeInput => ({
  title,
  size: bytes.length,
  open: async () => bufferSource(bytes),
});

const pagesIn = (bytes: Uint8Array) =>
  [...objectTexts(bytes).values()].filter((object) => object.includes("/Type /Page/")).length;

describe("merge", () => {
  it("merges pages in the order of the documents and of the selection", async () => {
    const bytes = makePdf({ pages: 5 });
    const merged = await mergeBytes([{ bytes }, { bytes, pages: "5,1-2" }, { bytes, pages: "last" }]);
    expect(pagesIn(merged)).toBe(5 + 3 + 1);
  });

  it("writes a second output, and no third, when several documents are damaged", async () => {
    const sink = new MemorySink();
    const restart = vi.spyOn(sink, "restart");
    const damaged = damagedOnTheWay();
    const inputs = [damaged, makePdf({ pages: 2 }), damaged].map((bytes, index) =>
      inputOf(bytes, `${index}`),
    );
    await merge(contextOf(new Uint8Array(), sink), inputs);
    expect(restart).toHaveBeenCalledTimes(2);
    const text = textOf(sink.toBytes());
    expect(text.match(/%PDF-/g)).toHaveLength(1);
    expect(pagesIn(sink.toBytes())).toBe(6);
    // Only the rebuilt documents have their annotations.
    const objects = [...objectTexts(sink.toBytes()).values()];
    expect(objects.filter((object) => object.includes("(note)"))).toHaveLength(2);
  });

  it("opens each encrypted document with its password", async () => {
    const locked = await protectBytes(makePdf({ pages: 2 }), { password: "one" });
    const other = await protectBytes(makePdf({ pages: 3 }), { password: "two" });
    const merged = await mergeBytes([
      { bytes: locked, password: "one" },
      { bytes: other, password: "two" },
    ]);
    expect(pagesIn(merged)).toBe(5);
    expect(textOf(merged)).not.toContain("/Encrypt");
  });

  it.each([
    { about: "a locked document", options: {}, code: "password_required" },
    { about: "a wrong password", options: { password: "other" }, code: "wrong_password" },
    {
      about: "a page that is not there",
      options: { password: "one", pages: "3" },
      code: "invalid_page_selection",
    },
  ])("names the document of an error: $about", async ({ options, code }) => {
    const locked = await protectBytes(makePdf({ pages: 2 }), { password: "one" });
    const merged = mergeBytes([
      { bytes: makePdf({ pages: 1 }), title: "fine" },
      { bytes: locked, title: "the second", ...options },
    ]);
    await expect(merged).rejects.toMatchObject({
      code,
      message: expect.stringContaining("the second"),
      details: expect.objectContaining({ file_index: 1 }),
    });
  });

  it("reports the bytes of the documents that are done", async () => {
    const reports: number[][] = [];
    const bytes = makePdf({ pages: 1 });
    const { length } = bytes;
    const report: Report = (_, done, total) => reports.push([done, total]);
    await merge({ ...contextOf(bytes), report }, [inputOf(bytes, "one"), inputOf(bytes, "two")]);
    expect(reports).toEqual([
      [length, 2 * length],
      [2 * length, 2 * length],
    ]);
  });
});
