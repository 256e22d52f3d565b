import { readdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readPixmap } from "../../support/native-pictures.ts";
import { runTool, type Scratch } from "../../support/native-tools.ts";
import { OracleFailure } from "../../support/oracles.ts";
import { type GrayPicture, grayOf } from "./ssim.ts";

/** A native program that draws pages. */
export const NATIVES = ["pdftoppm", "mutool"] as const;
export type Native = (typeof NATIVES)[number];

const TIME_LIMIT_MS = 20_000;

/**
 * Draws a page by a native program, in the given resolution or size.
 *
 * @returns nothing when it does not draw it
 */
export async function nativePage(
  native: Native,
  path: string,
  page: number,
  password: string | undefined,
  size: { readonly dpi: number } | { readonly width: number; readonly height: number },
  scratch: Scratch,
): Promise<GrayPicture | undefined> {
  const output = scratch.path(`${native}.ppm`);
  const [command, ...args] = {
    pdftoppm: ["pdftoppm", "-cropbox", ...popplerSize(size), "-f", `${page}`, "-l", `${page}`],
    mutool: ["mutool", "draw", "-q", ...mupdfSize(size), "-c", "rgb", "-F", "ppm", "-o", output],
  }[native];
  if (command !== native) throw new Error(`${native} has no command`);
  if (password !== undefined) args.push(native === "mutool" ? "-p" : "-upw", password);
  const run = await runTool(
    native,
    native === "mutool" ? [...args, path, `${page}`] : [...args, path, output],
    TIME_LIMIT_MS,
  );
  // pdftoppm puts the page number into the name.
  const names = await readdir(dirname(output));
  const made = names.find((name) => name.startsWith(basename(output)));
  if (made === undefined) return undefined;
  const file = await readFile(join(dirname(output), made));
  await rm(join(dirname(output), made));
  return run.timedOut ? undefined : grayOfPixmap(file);
}

function popplerSize(size: Parameters<typeof nativePage>[4]): readonly string[] {
  if ("dpi" in size) return ["-r", `${size.dpi}`];
  return ["-scale-to-x", `${size.width}`, "-scale-to-y", `${size.height}`];
}

function mupdfSize(size: Parameters<typeof nativePage>[4]): readonly string[] {
  if ("dpi" in size) return ["-r", `${size.dpi}`];
  return ["-w", `${size.width}`, "-h", `${size.height}`, "-f"];
}

/** The gray values of a portable pixmap in color. Undefined when it is cut off. */
export function grayOfPixmap(file: Uint8Array): GrayPicture | undefined {
  try {
    const { width, height, channels, values } = readPixmap(file);
    return channels === 3 ? grayOf(width, height, values) : undefined;
  } catch (error) {
    if (error instanceof OracleFailure) return undefined;
    throw error;
  }
}
