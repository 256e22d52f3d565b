import { onTestFinished } from "vitest";
import { type Client, type ConvertParams, createClient, type ServiceResult } from "../../src/index.ts";

/** A client with real workers, for the length of a test. */
export function newClient(): Client {
  const client = createClient();
  onTestFinished(() => client.close());
  return client;
}

/** The file of a result. */
export async function blobOf({ download_url }: Pick<ServiceResult, "download_url">): Promise<Blob> {
  return (await fetch(download_url)).blob();
}

/** A client for tests that need no client of their own: its workers load each codec once. */
export const shared = createClient();

/** Converts one image, and gives what it becomes. */
export async function convert(
  bytes: Uint8Array<ArrayBuffer> | Blob,
  output_format: string,
  params: Partial<ConvertParams> = {},
): Promise<Blob> {
  const file = new File([bytes], "picture.any");
  return blobOf(await shared.convert({ file, output_format, ...params }));
}

/** The bytes of a file. */
export async function bytesOf(blob: Blob): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await blob.arrayBuffer());
}

/** What a browser shows of a file, by an <img>: a way to the pixels that the engine does not take. */
export async function shown(blob: Blob): Promise<ImageData> {
  const url = URL.createObjectURL(blob);
  const image = new Image();
  image.src = url;
  await image.decode();
  URL.revokeObjectURL(url);
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth;
  canvas.height = image.naturalHeight;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("no canvas");
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** Red, green, blue and alpha of one pixel. */
export function pixel({ data, width }: ImageData, x: number, y: number): number[] {
  return [...data.slice(4 * (y * width + x), 4 * (y * width + x) + 4)];
}

/** A drawing, encoded by the browser. */
export async function drawing(
  type: string,
  width: number,
  height: number,
  draw: (context: OffscreenCanvasRenderingContext2D) => void,
  quality = 1,
): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("no canvas");
  draw(context);
  return bytesOf(await canvas.convertToBlob({ type, quality }));
}

/** The largest difference between the values of two pictures of one size. */
export function largestDifference(one: ImageData, other: ImageData): number {
  if (one.width !== other.width || one.height !== other.height) return Infinity;
  return one.data.reduce((most, value, at) => Math.max(most, Math.abs(value - (other.data[at] ?? 0))), 0);
}

/** The mean difference between the values of two pictures of one size. */
export function meanDifference(one: ImageData, other: ImageData): number {
  const sum = one.data.reduce((sum, value, at) => sum + Math.abs(value - (other.data[at] ?? 0)), 0);
  return sum / one.data.length;
}

/** What {@link quarters} draws, from the top left. */
export const QUARTERS = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
] as const;

/** A quarter each of red, green, blue and white: lossy formats keep their middles. */
export function quarters(context: OffscreenCanvasRenderingContext2D): void {
  const { width, height } = context.canvas;
  for (const [index, color] of ["red", "lime", "blue", "white"].entries()) {
    context.fillStyle = color;
    context.fillRect(((index % 2) * width) / 2, (index >> 1) * (height / 2), width / 2, height / 2);
  }
}
