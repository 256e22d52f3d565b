import { readFile } from "node:fs/promises";
import { runTool, type Scratch } from "../../support/native-tools.ts";
import { unpack } from "../unpack.ts";
import { compare, different, SAME, type Verdict } from "./compare.ts";
import { mutoolDraw, type NativePicture, vipsDecode } from "./native-decode.ts";
import type { Raster } from "./raster.ts";
import type { PngTraits } from "./reference.ts";
import type { ImageTarget } from "./subject.ts";

/** The entry of an archive for a picture that could not be converted. */
const EXCUSE = ".failed.txt";

/** An image and its conversion. */
export interface Conversion {
  /** The input's format by its name. */
  readonly from: string;
  readonly to: ImageTarget;
  readonly output: string;
  /** The client's name of the output. */
  readonly fileName: string;
  readonly png: PngTraits | undefined;
}

/** A picture in an output. */
interface MadePicture extends NativePicture {
  /** Whether its values have a profile other than sRGB. */
  readonly isTagged: boolean;
}

/** Judges whether a conversion shows what native programs decode from the input. */
export async function judgePictures(
  conversion: Conversion,
  native: readonly NativePicture[],
  scratch: Scratch,
): Promise<Verdict> {
  const { to, fileName } = conversion;
  const extension = fileName.split(".").at(-1);
  if (extension !== (native.length > 1 && to !== "pdf" ? "zip" : to)) {
    return different(`it is called ${fileName}`);
  }
  const made =
    to === "pdf" ? await pagesIn(conversion, native, scratch) : await picturesIn(conversion, scratch);
  if (made.length !== native.length) return different(`${made.length} pictures, not ${native.length}`);
  let isExcused = false;
  for (const [index, picture] of made.entries()) {
    const wanted = native[index];
    const verdict = wanted === undefined ? SAME : await judgePicture(conversion, picture, wanted, scratch);
    if (verdict.problem !== "") {
      return native.length > 1 ? different(`picture ${index + 1}: ${verdict.problem}`) : verdict;
    }
    isExcused ||= verdict.isExcused;
  }
  return { problem: "", isExcused };
}

/** Judges whether an output is valid when native programs cannot decode the input. */
export async function judgeSoundness(conversion: Conversion, scratch: Scratch): Promise<Verdict> {
  const made =
    conversion.to === "pdf"
      ? await pagesIn(conversion, undefined, scratch)
      : await picturesIn(conversion, scratch);
  return made.length > 0 ? SAME : different("there is no picture in it");
}

/** The pictures in an output: one file, or the files of an archive. */
async function picturesIn(
  { output, fileName }: Conversion,
  scratch: Scratch,
): Promise<readonly MadePicture[]> {
  const paths = fileName.endsWith(".zip") ? await unpack(output, `${output}-unpacked`) : [output];
  const pictures: NativePicture[] = [];
  for (const path of paths.filter((path) => !path.endsWith(EXCUSE))) {
    pictures.push(...(await vipsDecode(path, scratch)));
  }
  return pictures.map((picture) => ({ ...picture, isTagged: picture.shown !== picture.stored }));
}

/** The pages of an output, drawn in the size of the native picture. */
async function pagesIn(
  { output }: Conversion,
  native: readonly NativePicture[] | undefined,
  scratch: Scratch,
): Promise<readonly MadePicture[]> {
  const isTagged = /\/(ICCBased|Cal(Gray|RGB))/.test(await readFile(output, "latin1"));
  const pages: MadePicture[] = [];
  for (const [index, size] of (await pageSizes(output)).entries()) {
    const { width, height } = native?.[index]?.shown ?? size;
    // mutool draws stored values without their profile.
    const stored = await mutoolDraw(output, index + 1, width, height, scratch);
    pages.push({ stored, shown: stored, isTagged });
  }
  return pages;
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

async function judgePicture(
  conversion: Conversion,
  made: MadePicture,
  native: NativePicture,
  scratch: Scratch,
): Promise<Verdict> {
  const { width, height } = made.shown;
  if (width !== native.shown.width || height !== native.shown.height) {
    return different(`${width} × ${height}, not ${native.shown.width} × ${native.shown.height}`);
  }
  const { from, to, png } = conversion;
  const isPng = from === "png";
  const gamma = png?.gamma === undefined || isUsual(png.gamma) ? undefined : png.gamma;
  const problems: string[] = [];
  let excused: Verdict | undefined;
  for (const reading of readings(made, native, gamma)) {
    const exactness = reading.isComputed ? undefined : exactnessOf(from, to, native.shown.hasAlpha);
    const allowed = exactness === undefined ? undefined : exactness + (isPng && png?.sixteenBit ? 1 : 0);
    const verdict = await compare(reading.made, reading.native, to, allowed, scratch);
    if (verdict.problem === "" && !verdict.isExcused) return verdict;
    if (verdict.problem === "") excused = verdict;
    else problems.push(reading.name === "" ? verdict.problem : `${reading.name}: ${verdict.problem}`);
  }
  return excused ?? different(problems.join("; "));
}

interface Reading {
  readonly name: string;
  readonly made: Raster;
  readonly native: Raster;
  /** Whether the native values are rounded by a conversion. */
  readonly isComputed: boolean;
}

/**
 * The ways in which an output can be the same picture: it looks the same, or it keeps the values and their color
 * declaration. Viewers apply a PNG's gamma, libvips does not, so both appearances are correct.
 */
function readings(made: MadePicture, native: NativePicture, gamma: number | undefined): readonly Reading[] {
  const isNativeTagged = native.shown !== native.stored;
  return [
    { name: "", made: made.shown, native: native.shown, isComputed: isNativeTagged },
    ...(made.isTagged && (isNativeTagged || gamma !== undefined)
      ? [{ name: "as stored", made: made.stored, native: native.stored, isComputed: false }]
      : []),
    ...(gamma !== undefined
      ? [
          {
            name: `with the exponent ${gamma}`,
            made: made.shown,
            native: shownWith(native.stored, gamma),
            isComputed: true,
          },
        ]
      : []),
  ];
}

/** The largest difference that a lossless conversion may have. Undefined for lossy conversions. */
function exactnessOf(from: string, to: ImageTarget, hasAlpha: boolean): number | undefined {
  if (from === "png" && to === "png") return 0;
  if (from === "png" && to === "webp" && hasAlpha) return 0;
  // Blending with the page rounds once more.
  if (from === "png" && to === "pdf") return hasAlpha ? 1 : 0;
  if (from === "webp" && to === "png") return 0;
  return undefined;
}

/** The approximate exponent of sRGB. */
function isUsual(gamma: number): boolean {
  return Math.abs(gamma - 1 / 2.2) < 0.005;
}

/** Converts values with another exponent to sRGB. */
function shownWith(raster: Raster, gamma: number): Raster {
  const curve = Uint8Array.from({ length: 256 }, (_, value) => {
    const light = (value / 255) ** (1 / gamma);
    const encoded = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.round(255 * encoded);
  });
  const rgba = raster.rgba.map((value, at) => (at % 4 === 3 ? value : (curve[value] ?? 0)));
  return { ...raster, rgba };
}
