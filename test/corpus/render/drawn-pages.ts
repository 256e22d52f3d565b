import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { OracleFailure } from "../../native/oracles.ts";
import { runTool, type Scratch } from "../../native/tools.ts";
import { unpack } from "../unpack.ts";
import { greyOfPixmap } from "./native-pages.ts";
import type { GreyPicture } from "./ssim.ts";

/**
 * The pages that our client has drawn: a PNG, or an archive of several.
 *
 * @throws {OracleFailure} when it is neither
 */
export async function drawnPages(
  path: string,
  fileName: string,
  scratch: Scratch,
): Promise<readonly GreyPicture[]> {
  const directory = `${path}-unpacked`;
  try {
    const files = fileName.endsWith(".zip") ? await unpack(path, directory) : [path];
    return await Promise.all(files.map((file) => greyOfPng(file, scratch)));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function greyOfPng(path: string, scratch: Scratch): Promise<GreyPicture> {
  const output = scratch.path("page.ppm");
  // Reads by content, and flattens what there is of transparency on white.
  const run = await runTool("vips", ["flatten", path, output, "--background", "255"]);
  const picture = run.code === 0 ? greyOfPixmap(await readFile(output)) : undefined;
  rmSync(output, { force: true });
  if (picture === undefined) throw new OracleFailure(`vips: ${run.stderr}`);
  return picture;
}
