import { readFile } from "node:fs/promises";
import { runTool, type Scratch } from "../../native/tools.ts";
import { unpack } from "../unpack.ts";
import { mutoolDraw, type NativePicture, vipsDecode, vipsWrite } from "./native-decode.ts";
import { differenceOf, onWhite, type Raster } from "./raster.ts";
import type { PngTraits } from "./reference.ts";
import type { ImageTarget } from "./subject.ts";

/** Where lossy encoders work, the mean difference in steps of 255 must stay below this. */
const LOSSY_LIMIT = 3;

/** An image and what it became. */
export interface Conversion {
  /** The input's format, as its name says. */
  readonly from: string;
  readonly to: ImageTarget;
  readonly output: string;
  /** What the client called the output. */
  readonly fileName: string;
  readonly png: PngTraits | undefined;
}

/** The pictures in an output: a file, or a file each of an archive. */
async function picturesIn({ output, fileName }: Conversion, scratch: Scratch): Promise<readonly Raster[]> {
  const paths = fileName.endsWith(".zip") ? await unpack(output, `${output}-unpacked`) : [output];
  const rasters: Raster[] = [];
  for (const path of paths) {
    rasters.push(...(await vipsDecode(path, scratch)).map(({ shown }) => shown));
  }
  return rasters;
}

/** The sizes of a document's pages, in points. */
async function pageSizes(path: string): Promise<readonly { width: number; height: number }[]> {
  const run = await runTool("pdfinfo", ["-f", "1", "-l", "100", path]);
  const lines = run.stdout.toString("latin1").matchAll(/^Page.*size:\s+([\d.]+) x ([\d.]+) pts/gm);
  return [...lines].map(([, width, height]) => ({
    width: Math.ceil(Number(width)),
    height: Math.ceil(Number(height)),
  }));
}

/** Why a conversion is not what native programs make of the input; empty when it is. */
export async function judgePictures(
  conversion: Conversion,
  native: readonly NativePicture[],
  scratch: Scratch,
): Promise<string> {
  const { to, fileName } = conversion;
  const name = fileName.split(".").at(-1);
  if (name !== (native.length > 1 && to !== "pdf" ? "zip" : to)) return `it is called ${fileName}`;
  const problems =
    to === "pdf"
      ? await judgePages(conversion, native, scratch)
      : await judgeFiles(conversion, native, scratch);
  const first = problems.findIndex((problem) => problem !== "");
  return first > 0 ? `picture ${first + 1}: ${problems[first]}` : (problems[first] ?? "");
}

async function judgeFiles(
  conversion: Conversion,
  native: readonly NativePicture[],
  scratch: Scratch,
): Promise<readonly string[]> {
  const made = await picturesIn(conversion, scratch);
  if (made.length !== native.length) return [`${made.length} pictures, not ${native.length}`];
  return Promise.all(native.map(({ shown }, index) => judgePicture(conversion, made[index], shown, scratch)));
}

async function judgePages(
  conversion: Conversion,
  native: readonly NativePicture[],
  scratch: Scratch,
): Promise<readonly string[]> {
  const { output } = conversion;
  const pages = await pageSizes(output);
  if (pages.length !== native.length) return [`${pages.length} pages, not ${native.length}`];
  const isTagged = (await readFile(output)).includes("/ICCBased");
  const problems: string[] = [];
  for (const [index, { shown, stored }] of native.entries()) {
    const drawn = await mutoolDraw(output, index + 1, shown.width, shown.height, scratch);
    const asShown = await judgePicture(conversion, drawn, shown, scratch);
    const asTagged =
      asShown !== "" && isTagged ? await judgePicture(conversion, drawn, stored, scratch) : asShown;
    problems.push(asTagged === "" ? "" : asShown);
  }
  return problems;
}

/** Why an output that native programs have nothing to compare with is unsound; empty when it is sound. */
export async function judgeSoundness(conversion: Conversion, scratch: Scratch): Promise<string> {
  if (conversion.to !== "pdf") {
    return (await picturesIn(conversion, scratch)).length > 0 ? "" : "no pictures in it";
  }
  const pages = await pageSizes(conversion.output);
  for (const [index, { width, height }] of pages.entries()) {
    await mutoolDraw(conversion.output, index + 1, width, height, scratch);
  }
  return pages.length > 0 ? "" : "no pages in it";
}

async function judgePicture(
  conversion: Conversion,
  made: Raster | undefined,
  native: Raster,
  scratch: Scratch,
): Promise<string> {
  if (made === undefined) return "it is missing";
  if (made.width !== native.width || made.height !== native.height) {
    return `${made.width} × ${made.height}, not ${native.width} × ${native.height}`;
  }
  const verdict = await compare(conversion, made, native, scratch);
  const { gamma } = conversion.png ?? {};
  if (verdict === "" || gamma === undefined || isUsual(gamma)) return verdict;
  // Viewers apply a PNG's own exponent, libvips does not: an output that looks as viewers show it is as right.
  const shown = await compare({ ...conversion, from: "shown" }, made, shownWith(native, gamma), scratch);
  return shown === "" ? "" : `${verdict}; with its exponent of ${gamma} applied, ${shown}`;
}

/** Which largest difference is allowed; undefined where only the mean counts. */
function allowance({ from, to, png }: Conversion, hasAlpha: boolean): number | undefined {
  const rounding = png?.sixteenBit ? 1 : 0;
  if (from === "png" && to === "png") return rounding;
  if (from === "png" && to === "webp" && hasAlpha) return rounding;
  // Blending with the page rounds once more.
  if (from === "png" && to === "pdf") return hasAlpha ? 1 : rounding;
  if (from === "webp" && to === "png") return 0;
  return undefined;
}

async function compare(
  conversion: Conversion,
  made: Raster,
  native: Raster,
  scratch: Scratch,
): Promise<string> {
  const { to } = conversion;
  const keepsAlpha = to !== "jpg" && to !== "pdf";
  const allowed = allowance(conversion, native.hasAlpha);
  const seen = differenceOf(onWhite(made), onWhite(native), 3);
  if (allowed !== undefined) {
    const { largest, mean } = keepsAlpha ? differenceOf(made, native, 4) : seen;
    return largest <= allowed ? "" : `differs by up to ${largest}, ${mean.toFixed(3)} on average`;
  }
  if (seen.mean >= LOSSY_LIMIT) {
    // Some pictures are beyond what lossy formats can do: saturated icons of a few pixels.
    const loss = await nativeLoss(onWhite(native), to, scratch);
    if (seen.mean > loss) {
      return `differs by ${seen.mean.toFixed(2)} on average, libvips' own by ${loss.toFixed(2)}`;
    }
  }
  if (!keepsAlpha) return "";
  const alpha = alphaDifference(made, native);
  return alpha < LOSSY_LIMIT ? "" : `alpha differs by ${alpha.toFixed(2)} on average`;
}

/** How much libvips itself loses when it writes the picture in that format, with its own settings. */
async function nativeLoss(raster: Raster, to: ImageTarget, scratch: Scratch): Promise<number> {
  if (to === "pdf" || to === "png") return 0;
  const written = await vipsWrite(raster, to, scratch);
  return written === undefined ? 0 : differenceOf(written, raster, 3).mean;
}

function alphaDifference(one: Raster, other: Raster): number {
  let sum = 0;
  for (let at = 3; at < one.rgba.length; at += 4) {
    sum += Math.abs((one.rgba[at] ?? 0) - (other.rgba[at] ?? 0));
  }
  return sum / (one.rgba.length / 4);
}

/** The exponent of sRGB, near enough. */
function isUsual(gamma: number): boolean {
  return Math.abs(gamma - 1 / 2.2) < 0.005;
}

/** What an encoding with an exponent of its own looks like in sRGB. */
function shownWith(raster: Raster, gamma: number): Raster {
  const curve = Uint8Array.from({ length: 256 }, (_, value) => {
    const light = (value / 255) ** (1 / gamma);
    const encoded = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.round(255 * encoded);
  });
  const rgba = raster.rgba.map((value, at) => (at % 4 === 3 ? value : (curve[value] ?? 0)));
  return { ...raster, rgba };
}
