import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { ServiceError } from "../../src/index.ts";
import { kindOf } from "./formats.ts";
import { savesData } from "./offline.ts";
import { convertedPicture, pagePicture } from "./pictures.ts";
import type { TrayFile } from "./tray.ts";

/** The longest side of a thumbnail, in pixels of the page: that of the pictures of a merge. */
const SIDE = 128;

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

/** How many views show each thumbnail that is in view. */
const viewCounts = new Map<Thumbnail, number>();

/** The thumbnails in view that are not drawn, in the order in which they came into view. */
const wanted = new Set<Thumbnail>();

/** The thumbnails that neither the browser nor the client can draw. */
let failed = new WeakSet<Thumbnail>();

/** The thumbnail that is drawn now. */
let current: { readonly thumbnail: Thumbnail; readonly controller: AbortController } | undefined;

/** Whether no thumbnail is drawn now. */
let isPaused = false;

/** Pauses the thumbnails while the user's jobs run. Returns what ends this. */
export function yieldToJobs(isWorking: ReadonlySignal<boolean>): () => void {
  return effect(() => {
    isPaused = isWorking.value;
    if (isPaused) current?.controller.abort();
    else void drawNext();
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

/** Says that a view of a thumbnail came into view, or that it left. It is drawn while one is in view. */
export function setInView(thumbnail: Thumbnail, isInView: boolean): void {
  const count = (viewCounts.get(thumbnail) ?? 0) + (isInView ? 1 : -1);
  if (count > 0) viewCounts.set(thumbnail, count);
  else viewCounts.delete(thumbnail);
  const isDrawn = thumbnail.url.peek() !== undefined;
  if (count > 0) idle.delete(thumbnail);
  else if (isDrawn) keepIdle(thumbnail);
  if (count > 0 && !isDrawn && !failed.has(thumbnail)) wanted.add(thumbnail);
  else {
    wanted.delete(thumbnail);
    if (current?.thumbnail === thumbnail) current.controller.abort();
  }
  void drawNext();
}

/** Draws the thumbnails in view that have failed, because the network is back. */
export function retryThumbnails(): void {
  failed = new WeakSet();
  for (const thumbnail of viewCounts.keys()) if (thumbnail.url.peek() === undefined) wanted.add(thumbnail);
  void drawNext();
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

/** Draws the thumbnails one after another. */
async function drawNext(): Promise<void> {
  const [thumbnail] = wanted;
  if (thumbnail === undefined || current !== undefined || isPaused) return;
  const controller = new AbortController();
  const { signal } = controller;
  current = { thumbnail, controller };
  try {
    const picture = await pictureOf(thumbnail, signal);
    if (picture !== undefined && !signal.aborted) thumbnail.url.value = URL.createObjectURL(picture);
  } finally {
    if (!signal.aborted) {
      wanted.delete(thumbnail);
      if (thumbnail.url.peek() === undefined) failed.add(thumbnail);
    }
    current = undefined;
    void drawNext();
  }
}

/** Returns a small picture, or nothing if there is none. The task will report an error of the file. */
async function pictureOf(thumbnail: Thumbnail, signal: AbortSignal): Promise<Blob | undefined> {
  const { file } = thumbnail;
  const { format } = file.inspection.peek() ?? {};
  const kind = format && kindOf(format);
  const side = Math.ceil(SIDE * devicePixelRatio);
  try {
    const isFirst = thumbnail.page === 1;
    const picture = kind === "image" && isFirst ? await scaledByBrowser(file.file, side) : undefined;
    // What follows may load an engine of several megabytes.
    if (picture !== undefined || savesData()) return picture;
    if (kind === "image") return await scaledByClient(thumbnail, side, signal);
    return kind === "pdf" ? await drawnPage(thumbnail, side, signal) : undefined;
  } catch (error) {
    if (signal.aborted || error instanceof ServiceError) return undefined;
    throw error;
  }
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

function drawnPage({ file, page }: Thumbnail, side: number, signal: AbortSignal): Promise<Blob | undefined> {
  const { width = 1, height = 1 } = file.inspection.peek()?.page_sizes?.[page - 1] ?? {};
  const pixels = Math.ceil((side * width) / Math.max(width, height));
  return pagePicture(file, { page, width: pixels }, signal);
}
