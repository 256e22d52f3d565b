import { signal } from "@preact/signals";
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import {
  freeThumbnails,
  needsNetwork,
  retryThumbnails,
  setOnScreen,
  setWanted,
  type Thumbnail,
  thumbnailOf,
  yieldToJobs,
} from "../../../../demo/state/thumbnails.ts";
import { type ConvertParams, type RenderParams, ServiceError } from "../../../../src/index.ts";
import { eventually } from "../../../support/eventually.ts";
import { inspectedFile } from "../../../support/tray-files.ts";

/** A conversion that a test ends. */
interface Conversion {
  readonly params: ConvertParams;
  readonly signal: AbortSignal;
  end(): void;
  fail(error: unknown): void;
}

const conversions: Conversion[] = vi.hoisted(() => []);
const drawn: RenderParams[] = vi.hoisted(() => []);
/** How the pages of a document are drawn: a test may have them wait for their turn. */
const document: { broken?: number; isOffline?: boolean; turn?: Promise<void> } = vi.hoisted(() => ({}));
const isWorking = signal(false);

vi.mock("../../../../demo/state/client.ts", () => ({
  client: {
    convert: (params: ConvertParams, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        conversions.push({ params, signal, end: () => resolve({}), fail: reject });
      }),
    async *renderPages(params: RenderParams) {
      drawn.push(params);
      if (document.isOffline) throw new ServiceError("offline", "offline");
      for (const page of String(params.pages).split(",").map(Number)) {
        if (page === document.broken) throw new ServiceError("damaged_file", "broken", { page });
        await document.turn;
        yield { page, blob: new Blob(["page"]) };
      }
    },
    blob: () => new File(["picture"], "photo.png"),
    release: () => {},
  },
}));

vi.stubGlobal("devicePixelRatio", 2);
vi.stubGlobal("navigator", {});
// As a browser does with a HEIC.
vi.stubGlobal("createImageBitmap", async () => {
  throw new DOMException("The source image could not be decoded.", "InvalidStateError");
});

const end = yieldToJobs(isWorking);

afterAll(() => {
  end();
  vi.unstubAllGlobals();
});

beforeEach(() => {
  conversions.length = 0;
  drawn.length = 0;
});

function photo(): Thumbnail {
  return thumbnailOf(inspectedFile({ format: "heic", size: 5 }));
}

/** Waits for a conversion to start, by its place. */
async function started(index: number): Promise<Conversion> {
  await eventually(() => expect(conversions.length).toBe(index + 1));
  const conversion = conversions[index];
  if (conversion === undefined) throw new Error(`No conversion ${index}`);
  return conversion;
}

test("makes small thumbnails of the primary images in view, one after another", async () => {
  const [first, second] = [photo(), photo()];
  setOnScreen(first, true);
  setOnScreen(second, true);
  const { params, end } = await started(0);
  expect(params).toMatchObject({ file: first.file.file, pages: "primary", max_width: 400, max_height: 400 });
  expect(second.url.value).toBeUndefined();
  end();
  (await started(1)).end();
  await eventually(() => expect(second.url.value).toMatch(/^blob:/));
  expect(first.url.value).toMatch(/^blob:/);
});

test("ends the work on a file that is removed or scrolls away, and goes on with the next", async () => {
  const [gone, next] = [photo(), photo()];
  setOnScreen(gone, true);
  setOnScreen(next, true);
  const { signal } = await started(0);
  setOnScreen(gone, false);
  await eventually(() => expect(signal.aborted).toBe(true));
  (await started(1)).end();
  await eventually(() => expect(next.url.value).toMatch(/^blob:/));
  expect(gone.url.value).toBeUndefined();
  expect(conversions[1]?.params.file).toBe(next.file.file);
  // It gets its thumbnail when it is back.
  setOnScreen(gone, true);
  (await started(2)).end();
  await eventually(() => expect(gone.url.value).toMatch(/^blob:/));
});

test("makes a thumbnail as long as one of several views of the file is in view", async () => {
  const { file } = photo();
  setOnScreen(thumbnailOf(file), true);
  setOnScreen(thumbnailOf(file), true);
  const { signal, end } = await started(0);
  setOnScreen(thumbnailOf(file), false);
  expect(signal.aborted).toBe(false);
  end();
  await eventually(() => expect(thumbnailOf(file).url.value).toMatch(/^blob:/));
});

test("waits while the user's jobs run", async () => {
  const first = photo();
  setOnScreen(first, true);
  const { signal } = await started(0);
  isWorking.value = true;
  expect(signal.aborted).toBe(true);
  const other = photo();
  setOnScreen(other, true);
  await new Promise(setImmediate);
  expect(conversions).toHaveLength(1);
  isWorking.value = false;
  (await started(1)).end();
  (await started(2)).end();
  await eventually(() => expect(other.url.value).toMatch(/^blob:/));
  expect(first.url.value).toMatch(/^blob:/);
});

test("keeps the pictures of pages that are out of view, but not of all", async () => {
  const file = inspectedFile({ format: "pdf", size: 3, pages: 400 });
  const pages = Array.from({ length: 302 }, (_, index) => thumbnailOf(file, index + 1));
  for (let first = 0; first < pages.length; first += 50) {
    const some = pages.slice(first, first + 50);
    for (const page of some) setOnScreen(page, true);
    await eventually(() => expect(some.at(-1)?.url.value).toMatch(/^blob:/));
    // The first one stays on the screen.
    for (const page of some) if (page.page > 1) setOnScreen(page, false);
  }
  expect(pages.filter(({ url }) => url.value === undefined).map(({ page }) => page)).toEqual([2]);
  expect(thumbnailOf(file, 302)).toBe(pages[301]);
  freeThumbnails(file);
  expect(pages.filter(({ url }) => url.value !== undefined)).toEqual([]);
});

test("loads no engine for a user who saves data", async () => {
  vi.stubGlobal("navigator", { connection: { saveData: true } });
  const unloaded = photo();
  setOnScreen(unloaded, true);
  onTestFinished(() => setOnScreen(unloaded, false));
  await new Promise((resolve) => setTimeout(resolve));
  await new Promise(setImmediate);
  vi.stubGlobal("navigator", {});
  const next = photo();
  setOnScreen(next, true);
  const { params, end } = await started(0);
  expect(params.file).toBe(next.file.file);
  end();
  await eventually(() => expect(next.url.value).toMatch(/^blob:/));
});

test("does not try a damaged file again", async () => {
  const [damaged, sound] = [photo(), photo()];
  onTestFinished(() => setOnScreen(damaged, false));
  setOnScreen(damaged, true);
  (await started(0)).fail(new ServiceError("damaged_file", "damaged"));
  setOnScreen(sound, true);
  (await started(1)).end();
  await eventually(() => expect(sound.url.value).toMatch(/^blob:/));
  setOnScreen(damaged, false);
  setOnScreen(damaged, true);
  await new Promise(setImmediate);
  expect(conversions).toHaveLength(2);
});

test("draws failed thumbnails in view again when the network is back", async () => {
  const [first, second, gone] = [photo(), photo(), photo()];
  for (const [index, one] of [first, second, gone].entries()) {
    setOnScreen(one, true);
    (await started(index)).fail(new ServiceError("offline", "offline"));
  }
  setOnScreen(gone, false);
  retryThumbnails();
  (await started(3)).end();
  (await started(4)).end();
  await eventually(() => expect(second.url.value).toMatch(/^blob:/));
  expect(conversions.slice(3).map(({ params }) => params.file)).toEqual([first.file.file, second.file.file]);
});

test("draws any page of a PDF, each in its own shape", async () => {
  const sizes = [
    { width: 100, height: 200 },
    { width: 200, height: 100 },
  ];
  const file = inspectedFile({ format: "pdf", size: 3, pages: 2, page_sizes: sizes });
  const second = thumbnailOf(file, 2);
  setOnScreen(second, true);
  await eventually(() => expect(second.url.value).toMatch(/^blob:/));
  expect(thumbnailOf(file).url.value).toBeUndefined();
  setOnScreen(thumbnailOf(file), true);
  await eventually(() => expect(thumbnailOf(file).url.value).toMatch(/^blob:/));
  expect(drawn.map(({ pages, width }) => [pages, width])).toEqual([
    ["2", 400],
    ["1", 200],
  ]);
});

const paper = () => inspectedFile({ format: "pdf", size: 3, pages: 40 });
const askedPages = () => drawn.map(({ pages }) => pages);

test("draws pages of a document with one call, those on the screen first", async () => {
  const file = paper();
  for (const page of [1, 2, 3, 4, 5]) setWanted(thumbnailOf(file, page), true);
  for (const page of [3, 4]) setOnScreen(thumbnailOf(file, page), true);
  await eventually(() => expect(thumbnailOf(file, 5).url.value).toMatch(/^blob:/));
  expect(askedPages()).toEqual(["3,4", "1,2,5"]);
});

test("leaves pages near the screen for those that come onto it", async () => {
  const file = paper();
  let goOn = () => {};
  document.turn = new Promise((resolve) => {
    goOn = resolve;
  });
  for (const page of [1, 2, 3]) setWanted(thumbnailOf(file, page), true);
  await eventually(() => expect(askedPages()).toEqual(["1,2,3"]));
  setOnScreen(thumbnailOf(file, 9), true);
  goOn();
  await eventually(() => expect(thumbnailOf(file, 3).url.value).toMatch(/^blob:/));
  expect(askedPages()).toEqual(["1,2,3", "9", "2,3"]);
});

test("leaves out a page that cannot be drawn, and draws the others", async () => {
  const file = paper();
  document.broken = 2;
  onTestFinished(() => {
    delete document.broken;
    setWanted(thumbnailOf(file, 2), false);
  });
  for (const page of [1, 2, 3]) setWanted(thumbnailOf(file, page), true);
  await eventually(() => expect(thumbnailOf(file, 3).url.value).toMatch(/^blob:/));
  expect(askedPages()).toEqual(["1,2,3", "3"]);
  expect(thumbnailOf(file, 2).url.value).toBeUndefined();
});

test("says that pages need the network, and draws them when it is back", async () => {
  const file = paper();
  document.isOffline = true;
  for (const page of [1, 2]) setWanted(thumbnailOf(file, page), true);
  await eventually(() => expect(needsNetwork.value).toBe(true));
  document.isOffline = false;
  retryThumbnails();
  expect(needsNetwork.value).toBe(false);
  await eventually(() => expect(thumbnailOf(file, 2).url.value).toMatch(/^blob:/));
  expect(askedPages()).toEqual(["1,2", "1,2"]);
});
