import { readFileSync, writeFileSync } from "node:fs";
import { inkProfile } from "../../support/fixtures/image/ink-profile.ts";
import { jpegWith } from "../../support/fixtures/image/metadata.ts";
import { gridOf, HEIF_SETTINGS } from "../../support/fixtures/tiled-heic.ts";
import { announceMissing, type Scratch } from "../../support/native-tools.ts";
import { mustRun } from "../../support/oracles.ts";
import type { ImageSeed, Sources } from "./seeds.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** PNGs, and their side. */
interface NativeSources {
  readonly opaque: Sources;
  readonly translucent: Sources;
  readonly side: number;
}

/** How libvips writes TIFFs: the color space, and options of its writer. */
const TIFF_KINDS: readonly (readonly [name: string, space: string, options: string])[] = [
  ["in strips", "srgb", "compression=none"],
  ["by LZW", "srgb", "compression=lzw,predictor=horizontal"],
  ["by Deflate, big", "srgb", "compression=deflate,bigtiff"],
  ["by PackBits", "b-w", "compression=packbits"],
  ["in tiles", "srgb", "compression=deflate,tile,tile-width=32,tile-height=32"],
  ["by JPEG", "srgb", "compression=jpeg,tile,tile-width=64,tile-height=64"],
  ["of 16 bits", "rgb16", "compression=lzw"],
  ["by Group 4", "b-w", "compression=ccittfax4,bitdepth=1"],
  ["in CMYK", "cmyk", "compression=none"],
];

/** How cjxl writes JPEG XL: whether of the translucent picture, and its options. */
const JXL_KINDS: readonly (readonly [name: string, isTranslucent: boolean, ...options: string[]])[] = [
  ["jxl", false, "-d", "1"],
  ["jxl with alpha", true, "-d", "1"],
  ["jxl, lossless", true, "-d", "0"],
  ["jxl, modular and progressive", false, "-d", "1", "-m", "1", "-R", "1"],
  ["jxl in boxes", false, "-d", "0", "--container=1"],
];

/** Seeds that native tools make, of those formats that nothing of ours writes. */
export async function nativeSeeds(sources: NativeSources, scratch: Scratch): Promise<ImageSeed[]> {
  const hasVips = announceMissing("seeds in CMYK and TIFF", ["vips"]).length === 0;
  return [
    ...(hasVips ? [...(await inkSeeds(sources, scratch)), ...(await tiffSeeds(sources, scratch))] : []),
    ...(await heicSeeds(sources, scratch)),
    ...(await jxlSeeds(sources, scratch)),
  ];
}

async function tiffSeeds({ opaque }: NativeSources, scratch: Scratch): Promise<ImageSeed[]> {
  const encode = async (png: Bytes, space: string, options: string) => {
    const [input, output] = [scratch.path("source.png"), scratch.path("made.tif")];
    writeFileSync(input, png);
    await mustRun("vips", ["colourspace", input, `${output}[${options}]`, space]);
    return new Uint8Array(readFileSync(output));
  };
  const seeds: ImageSeed[] = [];
  for (const [name, space, options] of TIFF_KINDS) {
    const [bytes, red, green] = await Promise.all(
      [opaque.noisy, opaque.red, opaque.green].map((png) => encode(png, space, options)),
    );
    if (!bytes || !red || !green) throw new Error("there are three");
    seeds.push({ name: `tiff ${name}`, bytes, plain: { red, green } });
  }
  return seeds;
}

/** CMYK. */
async function inkSeeds({ opaque }: NativeSources, scratch: Scratch): Promise<ImageSeed[]> {
  const encode = async (png: Bytes) => {
    const [input, output] = [scratch.path("inks.png"), scratch.path("inks.jpg")];
    writeFileSync(input, png);
    const options = ["cmyk", "--input-profile", "srgb"];
    await mustRun("vips", ["icc_transform", input, `${output}[Q=90,strip]`, ...options]);
    return jpegWith(new Uint8Array(readFileSync(output)), { icc: inkProfile() });
  };
  const plain = { red: await encode(opaque.red), green: await encode(opaque.green) };
  return [{ name: "jpg in cmyk", bytes: await encode(opaque.noisy), plain }];
}

/** What our HEVC decoder reads, and what only libheif reads. */
async function heicSeeds(
  { opaque, translucent, side }: NativeSources,
  scratch: Scratch,
): Promise<ImageSeed[]> {
  if (announceMissing("seeds in HEIC", ["heif-enc"]).length > 0) return [];
  const encode = async (pngs: readonly Bytes[], ...options: readonly string[]) => {
    const output = scratch.path("made.heic");
    const inputs = pngs.map((png) => {
      const input = scratch.path("source.png");
      writeFileSync(input, png);
      return input;
    });
    await mustRun("heif-enc", [...HEIF_SETTINGS, ...options, "-o", output, ...inputs]);
    return new Uint8Array(readFileSync(output));
  };
  const seed = async (name: string, { noisy, red, green }: Sources, ...options: readonly string[]) => ({
    name,
    bytes: await encode([noisy], ...options),
    plain: { red: await encode([red], ...options), green: await encode([green], ...options) },
  });
  const tiled = async (png: Bytes) =>
    gridOf(
      await encode([png, png, png, png]),
      { columns: 2, tile: { width: side, height: side }, repeats: 1 },
      { width: 2 * side, height: 2 * side },
    );
  return [
    await seed("heic", opaque),
    await seed("heic with alpha", translucent),
    await seed("heic of 10 bits", opaque, "-b", "10"),
    {
      name: "heic of tiles",
      bytes: await tiled(opaque.noisy),
      plain: { red: await tiled(opaque.red), green: await tiled(opaque.green) },
    },
  ];
}

async function jxlSeeds({ opaque, translucent }: NativeSources, scratch: Scratch): Promise<ImageSeed[]> {
  if (announceMissing("seeds in JPEG XL", ["cjxl"]).length > 0) return [];
  const encode = async (png: Bytes, options: readonly string[]) => {
    const [input, output] = [scratch.path("source.png"), scratch.path("made.jxl")];
    writeFileSync(input, png);
    await mustRun("cjxl", [input, output, "--quiet", ...options]);
    return new Uint8Array(readFileSync(output));
  };
  const seeds: ImageSeed[] = [];
  for (const [name, isTranslucent, ...options] of JXL_KINDS) {
    const { noisy, red, green } = isTranslucent ? translucent : opaque;
    const plain = { red: await encode(red, options), green: await encode(green, options) };
    seeds.push({ name, bytes: await encode(noisy, options), plain });
  }
  return seeds;
}
