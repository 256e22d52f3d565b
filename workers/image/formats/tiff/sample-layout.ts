import { type Directory, damagedTiff, TAG } from "./directories.ts";

/** Values of Compression that are read. */
export const COMPRESSION = {
  none: 1,
  huffman: 2,
  group3: 3,
  group4: 4,
  lzw: 5,
  jpeg: 7,
  deflate: 8,
  packBits: 32_773,
  oldDeflate: 32_946,
} as const;

/** Values of PhotometricInterpretation that are read. */
export const PHOTOMETRIC = { whiteIsZero: 0, blackIsZero: 1, rgb: 2, palette: 3, cmyk: 5, ycbcr: 6 } as const;

/** How the samples of an image are stored. */
export interface SampleLayout {
  readonly compression: number;
  readonly photometric: number;
  /** Bits per sample. */
  readonly bits: number;
  /** The samples of a pixel, with alpha. */
  readonly samples: number;
  /** The samples of a pixel that are color. */
  readonly colors: number;
  readonly alpha: "none" | "premultiplied" | "straight";
  /** Whether each sample of all pixels is stored in a plane of its own. */
  readonly isPlanar: boolean;
  readonly predictor: number;
  /** Whether the bits of each byte are in reverse order. */
  readonly isReversed: boolean;
}

const ALPHA: Readonly<Record<number, SampleLayout["alpha"]>> = { 1: "premultiplied", 2: "straight" };

/** The compressions that have a predictor. */
const PREDICTED: readonly number[] = [COMPRESSION.lzw, COMPRESSION.deflate, COMPRESSION.oldDeflate];

/** Reads how the samples are stored. */
export function layoutOf(directory: Directory): SampleLayout {
  const photometric = directory.number(TAG.PhotometricInterpretation, PHOTOMETRIC.whiteIsZero);
  const samples = directory.number(TAG.SamplesPerPixel, 1);
  const compression = directory.number(TAG.Compression, COMPRESSION.none);
  const isColored = photometric === PHOTOMETRIC.rgb || photometric === PHOTOMETRIC.ycbcr;
  const colors = photometric === PHOTOMETRIC.cmyk ? 4 : isColored ? 3 : 1;
  const alpha = samples === colors + 1 ? ALPHA[directory.number(TAG.ExtraSamples, 0)] : undefined;
  return {
    ...{ photometric, samples, colors, alpha: alpha ?? "none" },
    compression,
    bits: directory.number(TAG.BitsPerSample, 1),
    isPlanar: samples > 1 && directory.number(TAG.PlanarConfiguration, 1) === 2,
    predictor: PREDICTED.includes(compression) ? directory.number(TAG.Predictor, 1) : 1,
    isReversed: directory.number(TAG.FillOrder, 1) === 2,
  };
}

/** Whether the samples are coded as a fax: ITU-T T.4 or T.6. */
export function isFax(compression: number): boolean {
  const { huffman, group3, group4 } = COMPRESSION;
  return compression === huffman || compression === group3 || compression === group4;
}

const COMPRESSIONS: ReadonlySet<number> = new Set(Object.values(COMPRESSION));
const PHOTOMETRICS: ReadonlySet<number> = new Set(Object.values(PHOTOMETRIC));
const BITS: readonly number[] = [1, 2, 4, 8, 16];

/** Other values of Compression. */
const OTHER_COMPRESSIONS: Readonly<Record<number, string>> = {
  6: "old-style JPEG",
  32809: "ThunderScan",
  34661: "JBIG",
  34676: "LogLuv",
  34677: "LogLuv",
  34712: "JPEG 2000",
  34887: "LERC",
  34925: "LZMA",
  50000: "Zstandard",
  50001: "WebP",
  50002: "JPEG XL",
};
/** Other values of PhotometricInterpretation. */
const OTHER_PHOTOMETRICS: Readonly<Record<number, string>> = {
  4: "mask",
  8: "CIELab",
  9: "ICCLab",
  10: "ITULab",
  32803: "camera raw",
  32844: "LogL",
  32845: "LogLuv",
  34892: "camera raw",
};
/** Other values of SampleFormat. 4 is undefined, and read as unsigned. */
const OTHER_FORMATS: Readonly<Record<number, string>> = {
  2: "signed samples",
  3: "floating point",
  5: "complex numbers",
  6: "complex numbers",
};
const UNCOMPRESSED_MODE = 2;
const CMYK_INKS = 1;

/**
 * Returns the name of a kind that is not read. Returns undefined for the kinds that are.
 *
 * @throws {ServiceError} `damaged_file` for samples that contradict each other
 */
export function unsupportedKindOf(directory: Directory, layout: SampleLayout): string | undefined {
  const { compression, photometric, bits, samples, colors } = layout;
  if (!COMPRESSIONS.has(compression)) return OTHER_COMPRESSIONS[compression] ?? `compression ${compression}`;
  if (!PHOTOMETRICS.has(photometric))
    return OTHER_PHOTOMETRICS[photometric] ?? `photometric interpretation ${photometric}`;
  const format = OTHER_FORMATS[directory.number(TAG.SampleFormat, 1)];
  if (format !== undefined) return format;
  const maximum = colors === 4 ? colors : colors + 1;
  if (samples > maximum) return `${samples} samples per pixel`;
  if (samples < colors) throw damagedTiff("its pixels lack colors");
  const isEven = directory.numbers(TAG.BitsPerSample, samples).every((one) => one === bits);
  if (!isEven) return "samples of different sizes";
  if (!BITS.includes(bits)) return `${bits}-bit`;
  return kindOfCoding(directory, layout) ?? kindOfColors(directory, layout);
}

function kindOfCoding(directory: Directory, layout: SampleLayout): string | undefined {
  const { compression, bits, samples, isPlanar, predictor } = layout;
  if (isFax(compression)) {
    if (bits !== 1 || samples !== 1) throw damagedTiff("a fax is not in black and white");
    const options = directory.number(TAG.T4Options, 0) | directory.number(TAG.T6Options, 0);
    return (options & UNCOMPRESSED_MODE) === 0 ? undefined : "fax with uncompressed mode";
  }
  if (compression === COMPRESSION.jpeg) {
    if (bits !== 8 || isPlanar || (samples !== 1 && samples !== 3))
      return "JPEG of other than 1 or 3 components";
    return undefined;
  }
  if (predictor === 1 || (predictor === 2 && bits >= 8)) return undefined;
  return `predictor ${predictor} with ${bits} bits`;
}

function kindOfColors(
  directory: Directory,
  { photometric, compression, bits }: SampleLayout,
): string | undefined {
  if (photometric === PHOTOMETRIC.palette && bits > 8) return `palette with ${bits} bits`;
  const isJpeg = compression === COMPRESSION.jpeg;
  const isTable = photometric === PHOTOMETRIC.palette || photometric === PHOTOMETRIC.whiteIsZero;
  if (isJpeg && isTable) return "JPEG of a palette or of inverted gray";
  if (photometric === PHOTOMETRIC.ycbcr && !isJpeg) return "YCbCr without JPEG";
  const isCmyk = photometric !== PHOTOMETRIC.cmyk || directory.number(TAG.InkSet, CMYK_INKS) === CMYK_INKS;
  return isCmyk ? undefined : "inks other than CMYK";
}
