import { effect } from "@preact/signals";
import { ServiceError } from "../../src/index.ts";
import { kindOf } from "./formats.ts";
import { isWorking } from "./jobs.ts";
import { savesData } from "./offline.ts";
import { convertedPicture, pagePicture } from "./pictures.ts";
import type { TrayFile } from "./tray.ts";

/** The longest side of a thumbnail, in pixels of the page: that of the pictures of a merge. */
const SIDE = 128;

/** How many views show each file. */
const viewCounts = new WeakMap<TrayFile, number>();

/** The files in view that wait for a thumbnail, in the order in which they came into view. */
const wanted = new Set<TrayFile>();

/** The files that have no thumbnail, because neither the browser nor the client can draw them. */
const failed = new WeakSet<TrayFile>();

/** The file whose thumbnail is made now. */
let current: { readonly file: TrayFile; readonly controller: AbortController } | undefined;

// The user's jobs come first.
effect(() => {
  if (isWorking.value) current?.controller.abort();
  else void drawNext();
});

/** Says that a view of a file came into view, or that it left. The file gets its thumbnail while one is in view. */
export function setInView(file: TrayFile, isInView: boolean): void {
  const count = (viewCounts.get(file) ?? 0) + (isInView ? 1 : -1);
  viewCounts.set(file, count);
  const isDrawn = file.thumbnail.peek() !== undefined || failed.has(file);
  if (count > 0 && !isDrawn) wanted.add(file);
  else {
    wanted.delete(file);
    if (current?.file === file) current.controller.abort();
  }
  void drawNext();
}

/** Makes the thumbnails one after another. */
async function drawNext(): Promise<void> {
  const [file] = wanted;
  if (file === undefined || current !== undefined || isWorking.peek()) return;
  const controller = new AbortController();
  const { signal } = controller;
  current = { file, controller };
  try {
    const picture = await pictureOf(file, signal);
    if (picture !== undefined && !signal.aborted) file.thumbnail.value = URL.createObjectURL(picture);
  } finally {
    if (!signal.aborted) {
      wanted.delete(file);
      if (file.thumbnail.peek() === undefined) failed.add(file);
    }
    current = undefined;
    void drawNext();
  }
}

/** Returns a small picture of a file, or nothing if there is none. The task will report an error of the file. */
async function pictureOf(file: TrayFile, signal: AbortSignal): Promise<Blob | undefined> {
  const { format } = file.inspection.peek() ?? {};
  const kind = format && kindOf(format);
  const side = Math.ceil(SIDE * devicePixelRatio);
  try {
    const picture = kind === "image" ? await scaledByBrowser(file.file, side) : undefined;
    // What follows may load an engine of several megabytes.
    if (picture !== undefined || savesData()) return picture;
    if (kind === "image") return await scaledByClient(file.file, side, signal);
    return kind === "pdf" ? await firstPage(file, side, signal) : undefined;
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

/** Scales an image that the browser cannot decode: HEIC, in most browsers. */
function scaledByClient(file: File, side: number, signal: AbortSignal): Promise<Blob> {
  const size = { max_width: side, max_height: side };
  const params = { file, output_format: "png", pages: "primary", ...size } as const;
  return convertedPicture(params, signal);
}

function firstPage(file: TrayFile, side: number, signal: AbortSignal): Promise<Blob | undefined> {
  const { width = 1, height = 1 } = file.inspection.peek()?.page_sizes?.[0] ?? {};
  const pixels = Math.ceil((side * width) / Math.max(width, height));
  return pagePicture(file, { page: 1, width: pixels }, signal);
}
