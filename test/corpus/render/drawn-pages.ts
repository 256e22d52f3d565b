import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { runTool, type Scratch } from "../../support/native-tools.ts";
import { OracleFailure } from "../../support/oracles.ts";
import { unpack } from "../unpack.ts";
import { grayOfPixmap } from "./native-pages.ts";
import type { GrayPicture } from "./ssim.ts";

const START_OF_JPEG = Buffer.from([0xff, 0xd8]);

/**
 * Reads the pages that our client has drawn: an image, or an archive of images.
 *
 * @throws {OracleFailure} when it is neither
 */
export async function drawnPages(
  path: string,
  fileName: string,
  scratch: Scratch,
): Promise<readonly GrayPicture[]> {
  const directory = `${path}-unpacked`;
  try {
    const files = fileName.endsWith(".zip") ? await unpack(path, directory) : [path];
    return await Promise.all(files.map((file) => grayOfImage(file, scratch)));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function grayOfImage(path: string, scratch: Scratch): Promise<GrayPicture> {
  const output = scratch.path("page.ppm");
  // libvips detects the format by content. `flatten` misreads a JPEG, which has no alpha.
  const isJpeg = (await readFile(path)).subarray(0, 2).equals(START_OF_JPEG);
  const run = await (isJpeg
    ? runTool("vips", ["copy", path, output])
    : runTool("vips", ["flatten", path, output, "--background", "255"]));
  const picture = run.code === 0 ? grayOfPixmap(await readFile(output)) : undefined;
  rmSync(output, { force: true });
  if (picture === undefined) throw new OracleFailure(`vips: ${run.stderr}`);
  return picture;
}
