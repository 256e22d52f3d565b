import { readFile, rm, writeFile } from "node:fs/promises";
import { runTool, type Scratch } from "../../support/native-tools.ts";
import { mustRun } from "../../support/oracles.ts";
import { type Raster, rasterOfCmyk, rasterOfPixmap, rasterOfVips } from "./raster.ts";
import { isSrgbProfile } from "./srgb-profile.ts";

const TIME_LIMIT_MS = 10_000;
const LARGER_THAN_ANY = "10000000";

/** A picture that libvips has decoded. */
export interface NativePicture {
  /** In sRGB, with its profile applied. */
  readonly shown: Raster;
  /** The stored values. The same raster without a profile or with that of sRGB. */
  readonly stored: Raster;
}

/**
 * The pictures in an image file, by libvips (and libheif inside it), upright. Of animations, the first frame.
 *
 * @throws {OracleFailure} when libvips does not decode one of them
 */
export async function vipsDecode(path: string, scratch: Scratch): Promise<readonly NativePicture[]> {
  const count = /\.hei[cf]$/i.test(path) ? await vipsPages(path) : 1;
  const pictures: NativePicture[] = [];
  for (let page = 0; page < count; page += 1) {
    pictures.push(await decodeOne(count > 1 ? `${path}[page=${page}]` : path, scratch));
  }
  return pictures;
}

async function vipsPages(path: string): Promise<number> {
  const run = await runTool("vipsheader", ["-f", "n-pages", path], TIME_LIMIT_MS);
  return run.code === 0 ? Number(run.stdout.toString("latin1")) : 1;
}

async function decodeOne(source: string, scratch: Scratch): Promise<NativePicture> {
  const profile = await runTool("vipsheader", ["-f", "icc-profile-data", source], TIME_LIMIT_MS);
  if (profile.code !== 0 && (await isCmyk(source))) {
    const values = await vipsRun("autorot", source, [], scratch);
    const plain = rasterOfCmyk(values);
    return { stored: plain, shown: plain };
  }
  const stored = await thumbnail(source, [], scratch);
  if (profile.code !== 0 || isSrgbProfile(Buffer.from(profile.stdout.toString("latin1"), "base64"))) {
    return { stored, shown: stored };
  }
  return { stored, shown: await thumbnail(source, ["--export-profile", "srgb"], scratch) };
}

/**
 * CMYK without a profile does not define its colors. libvips assumes a press, viewers use the simple formula, and
 * so does the reference.
 */
async function isCmyk(source: string): Promise<boolean> {
  if (!/\.jpe?g$/i.test(source)) return false;
  const run = await runTool("vipsheader", ["-f", "interpretation", source], TIME_LIMIT_MS);
  return /cmyk/i.test(run.stdout.toString("latin1"));
}

/** Makes a thumbnail larger than the image, which is the image itself, rotated and converted by libvips. */
async function thumbnail(source: string, options: readonly string[], scratch: Scratch): Promise<Raster> {
  const size = [LARGER_THAN_ANY, "--height", LARGER_THAN_ANY, "--size", "down"];
  return rasterOfVips(await vipsRun("thumbnail", source, [...size, ...options], scratch));
}

/** Runs an operation of libvips and returns the result in libvips' own format. */
async function vipsRun(
  operation: string,
  source: string,
  options: readonly string[],
  scratch: Scratch,
): Promise<Buffer> {
  const output = scratch.path("decoded.v");
  await mustRun("vips", [operation, source, `${output}[strip]`, ...options], TIME_LIMIT_MS);
  const file = await readFile(output);
  await rm(output);
  return file;
}

/** A picture that libvips has written in a format and decoded again. Undefined when it cannot. */
export async function vipsWrite(
  { width, height, rgba }: Raster,
  extension: string,
  scratch: Scratch,
): Promise<Raster | undefined> {
  const rgb = Buffer.from(rgba.filter((_, at) => at % 4 !== 3));
  const pixmap = scratch.path("picture.ppm");
  const output = scratch.path(`written.${extension}`);
  await writeFile(pixmap, [`P6\n${width} ${height}\n255\n`, rgb]);
  const run = await runTool("vips", ["copy", pixmap, output], TIME_LIMIT_MS);
  return run.code === 0 ? (await decodeOne(output, scratch)).stored : undefined;
}

/** A page that mutool draws in the given size. It draws stored values of images. */
export async function mutoolDraw(
  path: string,
  page: number,
  width: number,
  height: number,
  scratch: Scratch,
): Promise<Raster> {
  const output = scratch.path("page.ppm");
  const size = ["-w", `${width}`, "-h", `${height}`, "-f", "-A", "0"];
  const args = ["draw", "-q", ...size, "-c", "rgb", "-F", "ppm", "-o", output, path, `${page}`];
  await mustRun("mutool", args, TIME_LIMIT_MS);
  const raster = rasterOfPixmap(await readFile(output));
  await rm(output);
  return raster;
}
