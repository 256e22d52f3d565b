import { describe, expect, test, vi } from "vitest";
import type { RenderedPage } from "../../../../src/shared/protocol.ts";
import type { JobContext } from "../../../../workers/job-context.ts";
import type { DrawnPages } from "../../../../workers/render/draw-pages.ts";
import { renderPages } from "../../../../workers/render/render-pages.ts";

const { drawPages } = vi.hoisted(() => ({ drawPages: vi.fn() }));
vi.mock("../../../../workers/render/draw-pages.ts", () => ({ drawPages }));

/** Draws pages one after the other. Fails after the last one if there is an error. */
function drawing(count: number, error?: Error): { readonly pages: DrawnPages; readonly drawn: number[] } {
  const drawn: number[] = [];
  async function* pictures() {
    for (let number = 1; number <= count; number++) {
      drawn.push(number);
      const task = { number, index: number - 1, userUnit: 1, hidden: [] };
      yield { task, size: { width: 10, height: 20 }, picture: new Uint8Array([number]), missingFonts: [] };
    }
    if (error !== undefined) throw error;
  }
  return { pages: { pageCount: count, count, pictures: pictures() }, drawn };
}

/** A caller that answers a page when the test says so. */
function caller(helpers: number) {
  const sent: { readonly page: RenderedPage; answer(goesOn: boolean): void }[] = [];
  const deliver = (page: RenderedPage) =>
    new Promise<boolean>((answer) => {
      sent.push({ page, answer });
    });
  // The mock of drawPages needs nothing else.
  return { sent, context: { helpers, deliver } as unknown as JobContext };
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 10));

describe("renderPages", () => {
  test("delivers each page with its number and size", async () => {
    drawPages.mockResolvedValue(drawing(1).pages);
    const { sent, context } = caller(0);
    const done = renderPages(context, { to: "png", width: 300 });
    await settle();
    const [first] = sent;
    expect(first?.page).toMatchObject({
      page: 1,
      width: 10,
      height: 20,
      blob: { size: 1, type: "image/png" },
    });
    first?.answer(true);
    expect(await done).toEqual({ value: null });
    expect(drawPages).toHaveBeenLastCalledWith(context, { to: "png", scale: { width: 300 } });
  });

  test("delivers two pages for each worker before the first is taken", async () => {
    const { pages, drawn } = drawing(20);
    drawPages.mockResolvedValue(pages);
    const { sent, context } = caller(1);
    const done = renderPages(context, { to: "png" });
    await settle();
    expect(drawn).toEqual([1, 2, 3, 4]);
    sent[0]?.answer(true);
    await settle();
    expect(drawn).toEqual([1, 2, 3, 4, 5]);
    sent[1]?.answer(false);
    await settle();
    for (const { answer } of sent) answer(false);
    await done;
    expect(drawn).toEqual([1, 2, 3, 4, 5]);
  });

  test("ends when the caller has all pages", async () => {
    drawPages.mockResolvedValue(drawing(2).pages);
    const { sent, context } = caller(3);
    let isOver = false;
    const done = renderPages(context, { to: "png" }).then(() => {
      isOver = true;
    });
    await settle();
    expect([sent.length, isOver]).toEqual([2, false]);
    for (const { answer } of sent) answer(true);
    await done;
  });

  test("fails after the pages before the one that fails", async () => {
    drawPages.mockResolvedValue(drawing(2, new Error("page 3")).pages);
    const { sent, context } = caller(3);
    const failed = renderPages(context, { to: "png" }).catch((error: Error) => error.message);
    await settle();
    expect(sent).toHaveLength(2);
    for (const { answer } of sent) answer(true);
    expect(await failed).toBe("page 3");
  });
});
