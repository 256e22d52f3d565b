import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { zipSync } from "fflate";
import { ServiceError } from "../../src/shared/errors.ts";
import { flattenPages, parsePageSelection, resolvePageSelection } from "../../src/shared/page-selection.ts";
import type { OfficeContext } from "./office.ts";
import type { PageImage } from "./plan.ts";
import { run } from "./program.ts";

/** The options of the images. */
export interface ImageOptions {
  readonly pages?: string | undefined;
  readonly dpi?: number | undefined;
  readonly quality?: number | undefined;
}

/** One image, or an archive of several. */
export interface MadeImages {
  readonly bytes: Uint8Array;
  readonly isArchive: boolean;
}

const DEFAULT_DPI = 150;
const MOST_DPI = 600;
const MOST_PAGES = 500;
const DEFAULT_QUALITY = 0.85;

/**
 * Draws the pages of a PDF with poppler.
 *
 * @param name the start of the file names in an archive
 */
export async function drawPages(
  pdf: string,
  image: PageImage,
  { pages = "1-", dpi = DEFAULT_DPI, quality = DEFAULT_QUALITY }: ImageOptions,
  name: string,
  { folder, signal }: Pick<OfficeContext, "folder" | "signal">,
): Promise<MadeImages> {
  if (dpi > MOST_DPI)
    throw new ServiceError("invalid_parameter", `The field "dpi" may be ${MOST_DPI} at most here.`, {
      parameter: "dpi",
    });
  const pageCount = await countPages(pdf, signal);
  const wanted = flattenPages(resolvePageSelection(parsePageSelection(pages), pageCount));
  if (wanted.length > MOST_PAGES)
    throw new ServiceError("input_too_large", `At most ${MOST_PAGES} pages become images here.`, {
      page_count: wanted.length,
    });
  const digits = String(pageCount).length;
  const percent = String(Math.round(quality * 100));
  const files = new Map<string, Uint8Array>();
  for (const page of wanted) {
    const stem = join(folder, `page-${page}`);
    const kind = image === "jpg" ? ["-jpeg", "-jpegopt", `quality=${percent}`] : ["-png"];
    const range = ["-r", String(dpi), "-f", String(page), "-l", String(page), "-singlefile"];
    await outputOf("pdftoppm", [...range, ...kind, pdf, stem], signal);
    if (image === "webp")
      await outputOf("cwebp", ["-quiet", "-q", percent, `${stem}.png`, "-o", `${stem}.webp`], signal);
    const file = `${name}-${String(page).padStart(digits, "0")}.${image}`;
    files.set(file, await readFile(`${stem}.${image}`));
  }
  const [first] = files.values();
  if (first !== undefined && files.size === 1) return { bytes: first, isArchive: false };
  return { bytes: zipSync(Object.fromEntries(files), { level: 0 }), isArchive: true };
}

async function countPages(pdf: string, signal: AbortSignal): Promise<number> {
  const output = await outputOf("pdfinfo", [pdf], signal);
  return Number(/^Pages:\s+(\d+)$/m.exec(output)?.[1] ?? 0);
}

/** Runs a program that must succeed. */
async function outputOf(command: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const { code, output } = await run(command, args, signal);
  if (code === 0) return output;
  throw new ServiceError("internal_error", "The pages could not be drawn.");
}
