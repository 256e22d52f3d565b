import { readFileSync, writeFileSync } from "node:fs";
import { jpegWith, makeExif } from "../support/fixtures/image/metadata.ts";
import type { Scratch } from "../support/native-tools.ts";
import { vips } from "./pictures.ts";

/** How a JPEG in inks says what it is. */
export interface InkPlan {
  /** Of Adobe's segment: 0 for CMYK, 2 for YCCK. */
  readonly transform: 0 | 2;
  readonly orientation?: number;
}

/** A JPEG in inks, with the profile of a press, and what libvips makes of it. */
export interface InkJpeg {
  readonly path: string;
  /** Upright and in sRGB. */
  readonly expected: string;
}

/**
 * Prints a picture in inks.
 *
 * @param picture in sRGB
 */
export async function makeInkJpeg(
  scratch: Scratch,
  picture: string,
  { transform, orientation = 1 }: InkPlan,
): Promise<InkJpeg> {
  const [path, turned, expected] = ["inks.jpg", "turned.tif", "expected.png"].map((name) =>
    scratch.path(name),
  );
  if (path === undefined || turned === undefined || expected === undefined) throw new Error("no room");
  await vips("icc_transform", picture, `${path}[Q=100]`, "cmyk", "--input-profile", "srgb");
  const bytes = readFileSync(path);
  const adobe = bytes.indexOf("Adobe");
  // Version and two flags stand before it.
  bytes[adobe + 11] = transform;
  writeFileSync(path, jpegWith(bytes, { exif: makeExif(orientation) }));
  await vips("autorot", path, turned);
  await vips("icc_transform", turned, expected, "srgb", "--embedded");
  return { path, expected };
}
