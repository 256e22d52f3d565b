import { createRequire } from "node:module";
import type { Canvas, Image, ImageData as LibraryImageData } from "@napi-rs/canvas";
import { StoredBlob } from "./stored-blob.ts";

// A CommonJS module. It is loaded when a worker draws for the first time: most of them never do.
const load = (): typeof import("@napi-rs/canvas") => createRequire(import.meta.url)("@napi-rs/canvas");

/**
 * The beginnings of the images that a canvas decodes. The library also reads SVG and other documents, which could name
 * files.
 */
const SIGNATURES: readonly RegExp[] = [
  /^\xff\xd8\xff/,
  /^\x89PNG/,
  /^GIF8/,
  /^RIFF[\s\S]{4}WEBP/,
  /^BM/,
  /^[\s\S]{4}ftyp/,
];
const LONGEST_SIGNATURE = 12;

/** What a canvas draws. */
type Bitmap = Canvas & { close(): void };

/** Makes a canvas of the web platform. `new` returns the object of the library, which has the same members. */
export class NodeOffscreenCanvas {
  constructor(width: number, height: number) {
    const canvas = load().createCanvas(width, height);
    // biome-ignore lint/correctness/noConstructorReturn: the library makes its objects by a function
    return Object.assign(canvas, { transferToImageBitmap: () => transferred(canvas) });
  }
}

/** `ImageData` of the library. A class of its own, because it is loaded when it is first used. */
export class NodeImageData {
  constructor(...args: [data: Uint8ClampedArray, width: number, height?: number]) {
    // biome-ignore lint/correctness/noConstructorReturn: the library accepts only objects of its own class
    return new (load().ImageData)(...args);
  }
}

/** A rectangle of a source, in pixels. */
type Crop = [left: number, top: number, width: number, height: number];

/**
 * Makes a bitmap of an image file, of values or of another bitmap, as `createImageBitmap` of the web platform does. Options
 * have no effect: the engine finds out by its probes what becomes of color profiles.
 *
 * @throws {DOMException} `InvalidStateError` for a file that cannot be decoded
 */
export async function createBitmap(
  source: StoredBlob | ImageData | Bitmap,
  ...crop: Crop | [options?: ImageBitmapOptions]
): Promise<Bitmap> {
  const image = source instanceof StoredBlob ? await decoded(source) : source;
  const [left, top, width, height] = isCrop(crop) ? crop : [0, 0, image.width, image.height];
  const canvas = load().createCanvas(width, height);
  const context = canvas.getContext("2d");
  if ("data" in image && image.data instanceof Uint8ClampedArray)
    context.putImageData(image as LibraryImageData, -left, -top);
  else context.drawImage(image as Image | Canvas, -left, -top);
  return asBitmap(canvas);
}

async function decoded(file: StoredBlob): Promise<Image> {
  const beginning = Buffer.from(file.slice(0, LONGEST_SIGNATURE).readSync()).toString("latin1");
  if (!SIGNATURES.some((signature) => signature.test(beginning))) throw undecodable();
  const image = new (load().Image)();
  image.src = Buffer.from(file.readSync().buffer);
  try {
    await image.decode();
  } catch (thrown) {
    // The library rejects with an "EncodingError", as `decode` of the web platform does.
    if (!(thrown instanceof DOMException)) throw thrown;
    throw Object.assign(undecodable(), { cause: thrown });
  }
  return image;
}

function isCrop(given: Crop | [options?: ImageBitmapOptions]): given is Crop {
  return given.length === 4;
}

/** Moves the content of a canvas into a bitmap. The canvas is blank afterwards. */
function transferred(canvas: Canvas): Bitmap {
  const { width, height } = canvas;
  const bitmap = load().createCanvas(width, height);
  bitmap.getContext("2d").drawImage(canvas, 0, 0);
  // Assigning the width clears a canvas.
  canvas.width = width;
  return asBitmap(bitmap);
}

function asBitmap(canvas: Canvas): Bitmap {
  const close = () => {
    canvas.width = 0;
    canvas.height = 0;
  };
  return Object.assign(canvas, { close });
}

function undecodable(): DOMException {
  return new DOMException("The source image could not be decoded.", "InvalidStateError");
}
