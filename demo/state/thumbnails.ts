import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { ServiceError } from "../../src/index.ts";
import { client } from "./client.ts";
import { kindOf } from "./formats.ts";
import { savesData } from "./offline.ts";
import { convertedPicture } from "./pictures.ts";
import { passwordField, type TrayFile } from "./tray.ts";

/** The longest side of a thumbnail, in pixels of the page: that of a page in the grid. */
const SIDE = 200;

/** How many milliseconds drawing has to end its picture when no view wants it any more. Then its worker is ended. */
const END_MS = 300;

/** A small picture of a page of a PDF, or of an image. */
export interface Thumbnail {
  readonly file: TrayFile;
  /** The number of the page, from 1. */
  readonly page: number;
  /** Its blob URL, once it is drawn. */
  readonly url: Signal<string | undefined>;
}

/** How many thumbnails out of view are kept. Those that were in view longest ago go first. */
const KEPT = 300;

/** The thumbnails of each file, by their page. All views of a page share one. */
const thumbnails = new WeakMap<TrayFile, Map<number, Thumbnail>>();

/** The thumbnails that are drawn but not in view, those that were in view longest ago first. */
const idle = new Set<Thumbnail>();

/** How many views want each thumbnail. */
const viewCounts = new Map<Thumbnail, number>();

/** The thumbnails on the screen, which are drawn before those near it. */
const onScreen = new Set<Thumbnail>();

/** The thumbnails that views want and that are not drawn, in the order in which they came. */
const wanted = new Set<Thumbnail>();

/** The thumbnails that neither the browser nor the client can draw. */
let failed = new WeakSet<Thumbnail>();

/** Whether drawing has failed because the engine is not stored and the device is offline. */
export const needsNetwork = signal(false);

/** The thumbnails that are drawn now: one, or pages of one document. */
let current: { readonly batch: readonly Thumbnail[]; readonly controller: AbortController } | undefined;

/** Whether no thumbnail is drawn now. */
let isPaused = false;

/** Pauses the thumbnails while the user's jobs run. Returns what ends this. */
export function yieldToJobs(isWorking: ReadonlySignal<boolean>): () => void {
  return effect(() => {
    isPaused = isWorking.value;
    if (isPaused) current?.controller.abort();
    else drawSoon();
  });
}

/** Returns the thumbnail of a page of a file. */
export function thumbnailOf(file: TrayFile, page = 1): Thumbnail {
  const pages = thumbnails.get(file) ?? new Map<number, Thumbnail>();
  thumbnails.set(file, pages);
  const known = pages.get(page) ?? { file, page, url: signal(undefined) };
  pages.set(page, known);
  return known;
}

/** Frees the thumbnails of a file that is gone. */
export function freeThumbnails(file: TrayFile): void {
  for (const thumbnail of thumbnails.get(file)?.values() ?? []) free(thumbnail);
}

/** Says that a thumbnail came onto the screen, or that it left. It is drawn while it is there. */
export function setOnScreen(thumbnail: Thumbnail, isThere: boolean): void {
  if (isThere) onScreen.add(thumbnail);
  else onScreen.delete(thumbnail);
  setWanted(thumbnail, isThere);
}

/** Says that one view more wants a thumbnail, or one less. It is drawn while one wants it. */
export function setWanted(thumbnail: Thumbnail, isWanted: boolean): void {
  const count = (viewCounts.get(thumbnail) ?? 0) + (isWanted ? 1 : -1);
  if (count > 0) viewCounts.set(thumbnail, count);
  else viewCounts.delete(thumbnail);
  const isDrawn = thumbnail.url.peek() !== undefined;
  if (count > 0) idle.delete(thumbnail);
  else if (isDrawn) keepIdle(thumbnail);
  if (count > 0 && !isDrawn && !failed.has(thumbnail)) wanted.add(thumbnail);
  else wanted.delete(thumbnail);
  endUnwanted();
  drawSoon();
}

/** Draws the thumbnails that have failed and are wanted, because the network is back. */
export function retryThumbnails(): void {
  failed = new WeakSet();
  needsNetwork.value = false;
  for (const thumbnail of viewCounts.keys()) if (thumbnail.url.peek() === undefined) wanted.add(thumbnail);
  drawSoon();
}

/** Ends the drawing unless some of its pictures are among the next ones, now or soon. */
function endUnwanted(): void {
  const drawing = current;
  if (drawing === undefined || isNext(drawing.batch)) return;
  setTimeout(() => {
    if (!isNext(drawing.batch)) drawing.controller.abort();
  }, END_MS);
}

/** Returns the thumbnails to draw next: those on the screen, or else those near it. */
function nextOnes(): readonly Thumbnail[] {
  const all = [...wanted];
  const seen = all.filter((one) => onScreen.has(one));
  return seen.length > 0 ? seen : all;
}

/** Whether some of these are to be drawn next. */
function isNext(batch: readonly Thumbnail[]): boolean {
  return nextOnes().some((one) => batch.includes(one));
}

function keepIdle(thumbnail: Thumbnail): void {
  idle.add(thumbnail);
  const [oldest] = idle;
  if (idle.size > KEPT && oldest !== undefined) free(oldest);
}

function free(thumbnail: Thumbnail): void {
  const url = thumbnail.url.peek();
  if (url !== undefined) URL.revokeObjectURL(url);
  thumbnail.url.value = undefined;
  idle.delete(thumbnail);
}

let drawsSoon = false;

/** Draws the wanted pictures, once all views have named theirs. */
function drawSoon(): void {
  if (drawsSoon) return;
  drawsSoon = true;
  setTimeout(() => {
    drawsSoon = false;
    void drawNext();
  });
}

/** Draws the thumbnails one after another, but the pages of one document with one call. */
async function drawNext(): Promise<void> {
  const next = nextOnes();
  const [first] = next;
  if (first === undefined || current !== undefined || isPaused) return;
  const isAlike = (one: Thumbnail) => one.file === first.file && widthOf(one) === widthOf(first);
  const batch = isPdf(first.file) ? next.filter(isAlike) : [first];
  const controller = new AbortController();
  const { signal } = controller;
  current = { batch, controller };
  try {
    for await (const { page, blob } of draw(batch, first, signal)) {
      if (signal.aborted) return;
      show(
        batch.filter((one) => one.page === page),
        blob,
      );
      if (!isNext(batch)) return;
    }
    show(batch, undefined);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === "offline") needsNetwork.value = true;
    const broken = batch.filter(({ page }) => page === error.details.page);
    // An error without a page is one of the file. The task will report it.
    show(broken.length > 0 ? broken : batch, undefined);
  } finally {
    current = undefined;
    drawSoon();
  }
}

/** Shows thumbnails that are still wanted. Without a picture, they cannot be drawn. */
function show(some: readonly Thumbnail[], picture: Blob | undefined): void {
  for (const one of some.filter((each) => wanted.delete(each))) {
    if (picture === undefined) failed.add(one);
    else one.url.value = URL.createObjectURL(picture);
  }
  if (picture !== undefined) needsNetwork.value = false;
}

async function* draw(batch: readonly Thumbnail[], first: Thumbnail, signal: AbortSignal) {
  if (!isPdf(first.file)) {
    yield { page: first.page, blob: await imageOf(first, signal) };
    return;
  }
  const { file, password } = first.file;
  const pages = batch.map(({ page }) => page).join();
  const params = { file, pages, width: widthOf(first), ...passwordField(password.peek()) };
  yield* client.renderPages(params, { signal });
}

function isPdf({ inspection }: TrayFile): boolean {
  return inspection.peek()?.format === "pdf";
}

/** Returns a small picture of an image, or nothing if there is none. */
async function imageOf(thumbnail: Thumbnail, signal: AbortSignal): Promise<Blob | undefined> {
  const { file } = thumbnail.file;
  const { format } = thumbnail.file.inspection.peek() ?? {};
  if (format === undefined || kindOf(format) !== "image") return undefined;
  const side = pixelsOf(1);
  const picture = thumbnail.page === 1 ? await scaledByBrowser(file, side) : undefined;
  // What follows may load an engine of several megabytes.
  return picture !== undefined || savesData() ? picture : scaledByClient(thumbnail, side, signal);
}

/** Scales an image. Returns nothing if the browser cannot decode it. */
async function scaledByBrowser(file: File, side: number): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file).catch((error: unknown) => {
    if (error instanceof DOMException) return undefined;
    throw error;
  });
  if (bitmap === undefined) return undefined;
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  const context = canvas.getContext("2d");
  if (context) context.imageSmoothingQuality = "high";
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.convertToBlob();
}

/** Scales an image that the browser cannot decode: HEIC and TIFF in most browsers, and any but the first of a file. */
function scaledByClient({ file, page }: Thumbnail, side: number, signal: AbortSignal): Promise<Blob> {
  const size = { max_width: side, max_height: side };
  const pages = page === 1 && (file.inspection.peek()?.images ?? 1) === 1 ? "primary" : String(page);
  const params = { file: file.file, output_format: "png", pages, ...size } as const;
  return convertedPicture(params, signal);
}

/** Returns how wide a page is drawn. */
function widthOf({ file, page }: Thumbnail): number {
  const { width = 1, height = 1 } = file.inspection.peek()?.page_sizes?.[page - 1] ?? {};
  return pixelsOf(width / Math.max(width, height));
}

/** Returns a part of the longest side of a thumbnail, in pixels of the screen. */
function pixelsOf(part: number): number {
  return Math.ceil(SIDE * devicePixelRatio * part);
}
