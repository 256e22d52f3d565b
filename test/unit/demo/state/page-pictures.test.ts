import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { PageSpan } from "../../../../demo/state/grid-layout.ts";
import { type DrawPages, PagePictures } from "../../../../demo/state/page-pictures.ts";
import { ServiceError } from "../../../../src/index.ts";

/** One call of a painter: which pages it has to draw, and whether it is over. */
interface Call {
  readonly pages: string;
  readonly signal: AbortSignal;
  isOver: boolean;
}

/** Draws a page only when the test says so. */
class Painter {
  readonly calls: Call[] = [];
  isOffline = false;
  readonly #waiting: (() => void)[] = [];
  readonly #broken: ReadonlySet<number>;

  constructor(broken: readonly number[] = []) {
    this.#broken = new Set(broken);
  }

  async *draw(pages: string, signal: AbortSignal): ReturnType<DrawPages> {
    const call: Call = { pages, signal, isOver: false };
    this.calls.push(call);
    if (this.isOffline) throw new ServiceError("offline", "offline");
    let fail = (_reason: unknown) => {};
    signal.addEventListener("abort", () => fail(signal.reason));
    try {
      for (const page of pages.split(",").map(Number)) {
        await new Promise<void>((resolve, reject) => {
          fail = reject;
          this.#waiting.push(resolve);
        });
        if (this.#broken.has(page)) throw new ServiceError("damaged_file", "broken", { page });
        yield { page, blob: new Blob([String(page)]), width: 1, height: 1 };
      }
    } finally {
      call.isOver = true;
    }
  }

  /** Draws the next pages. */
  async paint(count: number): Promise<void> {
    for (let drawn = 0; drawn < count; drawn++) {
      await vi.waitFor(() => expect(this.#waiting.length).toBeGreaterThan(0));
      this.#waiting.shift()?.();
      await wait(0);
    }
  }
}

function picturesOf(painter: Painter): PagePictures {
  const pictures = new PagePictures((pages, signal) => painter.draw(pages, signal));
  onTestFinished(() => pictures.close());
  return pictures;
}

function span(first: number, last: number): PageSpan {
  return { first, last };
}

const askedPages = ({ calls }: Painter) => calls.map(({ pages }) => pages);

test("draws the pages in view first, then the nearest ones", async () => {
  const painter = new Painter();
  const pictures = picturesOf(painter);
  pictures.show(span(11, 13), span(8, 20));
  await painter.paint(3);
  expect(pictures.urlOf(12).value).toMatch(/^blob:/);
  await painter.paint(6);
  await painter.paint(1);
  expect(askedPages(painter)).toEqual(["11,12,13", "8,9,10,14,15,16", "17,18,19,20"]);
});

test.each([
  ["pages in view", span(1, 6)],
  ["two pages", span(1, 2)],
])("leaves a batch of %s after its page when it is out of view", async (_, before) => {
  const painter = new Painter();
  const pictures = picturesOf(painter);
  pictures.show(before, before);
  pictures.show(span(301, 302), span(301, 302));
  await painter.paint(1);
  expect(painter.calls[0]?.isOver).toBe(true);
  expect(painter.calls[0]?.signal.aborted).toBe(false);
  expect(askedPages(painter)[1]).toBe("301,302");
});

test("leaves a batch near the view as soon as pages in view have no picture", async () => {
  const painter = new Painter();
  const pictures = picturesOf(painter);
  pictures.show(span(1, 2), span(1, 9));
  await painter.paint(3);
  pictures.show(span(20, 21), span(1, 30));
  await painter.paint(1);
  expect(askedPages(painter)).toEqual(["1,2", "3,4,5,6,7,8", "20,21"]);
});

test("aborts a batch that is out of view and does not end its page", async () => {
  const painter = new Painter();
  const pictures = picturesOf(painter);
  pictures.show(span(1, 1), span(1, 1));
  pictures.show(span(301, 302), span(301, 302));
  await vi.waitFor(() => expect(painter.calls[0]?.signal.aborted).toBe(true));
  await vi.waitFor(() => expect(askedPages(painter)[1]).toBe("301,302"));
});

test("keeps drawing a batch whose pages come back into view", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const painter = new Painter();
  const pictures = picturesOf(painter);
  pictures.show(span(1, 2), span(1, 2));
  pictures.show(span(301, 302), span(301, 302));
  pictures.show(span(1, 2), span(1, 2));
  vi.advanceTimersByTime(10_000);
  expect(painter.calls[0]?.signal.aborted).toBe(false);
});

test("leaves out a page that cannot be drawn, and draws the others", async () => {
  const painter = new Painter([2]);
  const pictures = picturesOf(painter);
  pictures.show(span(1, 4), span(1, 4));
  await painter.paint(4);
  expect(askedPages(painter)).toEqual(["1,2,3,4", "3,4"]);
  expect(pictures.urlOf(2).value).toBeUndefined();
  expect(pictures.urlOf(4).value).toBeDefined();
});

test("stops at the first failure without a network, and goes on when it is back", async () => {
  const painter = new Painter();
  painter.isOffline = true;
  const pictures = picturesOf(painter);
  pictures.show(span(1, 2), span(1, 4));
  await vi.waitFor(() => expect(pictures.needsNetwork.value).toBe(true));
  expect(askedPages(painter)).toEqual(["1,2"]);
  painter.isOffline = false;
  pictures.retry();
  expect(pictures.needsNetwork.value).toBe(false);
  await painter.paint(4);
  expect(askedPages(painter)).toEqual(["1,2", "1,2", "3,4"]);
  expect(pictures.urlOf(4).value).toMatch(/^blob:/);
});

test("draws again what has failed when the network is back", async () => {
  const painter = new Painter([2]);
  const pictures = picturesOf(painter);
  pictures.show(span(1, 2), span(1, 2));
  await painter.paint(2);
  expect(pictures.needsNetwork.value).toBe(false);
  pictures.retry();
  await painter.paint(1);
  expect(askedPages(painter)).toEqual(["1,2", "2"]);
});

test("frees the pictures that were near the view longest ago", async () => {
  const painter = new Painter();
  const pictures = picturesOf(painter);
  for (let first = 1; first <= 201; first += 50) {
    const view = span(first, first + 49);
    pictures.show(view, view);
    await painter.paint(50);
  }
  expect(pictures.urlOf(1).value).toBeUndefined();
  expect(pictures.urlOf(51).value).toBeDefined();
  expect(pictures.urlOf(250).value).toBeDefined();
});

test("draws nothing more once it is closed", async () => {
  const painter = new Painter();
  const pictures = picturesOf(painter);
  pictures.show(span(1, 2), span(1, 9));
  await painter.paint(1);
  pictures.close();
  await vi.waitFor(() => expect(painter.calls[0]?.isOver).toBe(true));
  expect(pictures.urlOf(1).value).toBeUndefined();
  expect(painter.calls.length).toBe(1);
});
