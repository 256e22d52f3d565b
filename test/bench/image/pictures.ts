import { writeFileSync } from "node:fs";
import { HEIF_SETTINGS, writeTiledHeic } from "../../support/fixtures/tiled-heic.ts";
import type { Scratch } from "../../support/native-tools.ts";
import { mustRun } from "../../support/oracles.ts";
import type { ImageSource } from "./task.ts";

/** A generated photo in every format, as files. */
export async function makePhotos(
  megapixels: number,
  scratch: Scratch,
): Promise<ReadonlyMap<ImageSource, string>> {
  const width = 4 * Math.round(Math.sqrt((megapixels * 1e6) / 12));
  const height = (3 * width) / 4;
  const opaque = scratch.path("photo.ppm");
  writeFileSync(opaque, pixmap(width, height));
  const files: Record<ImageSource, string> = {
    jpg: scratch.path("photo.jpg"),
    png: scratch.path("photo.png"),
    "png with alpha": scratch.path("cutout.png"),
    webp: scratch.path("photo.webp"),
    heic: scratch.path("photo.heic"),
    "heic in one piece": scratch.path("whole.heic"),
  };
  await mustRun("vips", ["copy", opaque, `${files.jpg}[Q=90]`]);
  await mustRun("vips", ["copy", opaque, files.png]);
  await mustRun("vips", ["copy", opaque, `${files.webp}[Q=85]`]);
  await writeTiledHeic(files.jpg, { width, height }, files.heic, scratch);
  await mustRun("heif-enc", [...HEIF_SETTINGS, "-o", files["heic in one piece"], files.jpg]);
  const alpha = scratch.path("alpha.pgm");
  writeFileSync(alpha, vignette(width, height));
  await mustRun("vips", ["bandjoin", `${opaque} ${alpha}`, files["png with alpha"]]);
  return new Map(Object.entries(files) as [ImageSource, string][]);
}

/** Soft shapes of changing color, with the noise of a sensor. */
function pixmap(width: number, height: number): Buffer {
  const head = Buffer.from(`P6\n${width} ${height}\n255\n`);
  const pixels = Buffer.alloc(3 * width * height);
  let seed = 1;
  for (let y = 0, at = 0; y < height; y += 1) {
    const v = (y / height) * Math.PI;
    for (let x = 0; x < width; x += 1) {
      const u = (x / width) * Math.PI;
      const shape = Math.sin(7 * u + 3 * Math.sin(5 * v)) + Math.sin(11 * v + 2 * Math.cos(9 * u));
      const fine = 12 * Math.sin(x / 3 + y / 5) * Math.sin(6 * u);
      for (let channel = 0; channel < 3; channel += 1, at += 1) {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        const noise = ((seed >>> 24) - 128) / 16;
        pixels[at] = Math.min(255, Math.max(0, 128 + 45 * shape * Math.cos(channel + u) + fine + noise));
      }
    }
  }
  return Buffer.concat([head, pixels]);
}

/** Opaque in the middle, gone at the edges. */
function vignette(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(width * height);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 1) {
      const away = Math.hypot((2 * x) / width - 1, (2 * y) / height - 1);
      pixels[at] = Math.min(255, Math.max(0, 255 * (1.6 - 1.5 * away)));
    }
  }
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]);
}
