import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeAlphaBmp, makeBmp, makeDividedBmp, makeGif } from "../../support/fixtures/image/gif-and-bmp.ts";
import { displayP3 } from "../../support/fixtures/image/icc.ts";
import { jpegWith, makeExif, makeXmp, webpWithExif } from "../../support/fixtures/image/metadata.ts";
import { plan } from "../../support/fixtures/image/noisy-png.ts";
import { makePng, pngProfile } from "../../support/fixtures/image/png.ts";
import { manyScanJpeg } from "../../support/fixtures/image/progressive-jpeg.ts";
import { Scratch } from "../../support/native-tools.ts";
import type { PageCall } from "../browser/fuzz-page.ts";
import { nativeSeeds } from "./native-seeds.ts";

/** An image that mutations start from. */
export interface ImageSeed {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Pictures of one color that take the same way through the decoders. */
  readonly plain: PlainPair;
}

/** Two pictures of the same format and size that differ in each pixel. */
export interface PlainPair {
  readonly red: Uint8Array<ArrayBuffer>;
  readonly green: Uint8Array<ArrayBuffer>;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Runs a call on a file. */
export type Encode = (file: Uint8Array, fields: PageCall["fields"]) => Promise<Bytes>;

/** All pictures have this size, which is a multiple of the blocks of all codecs. */
const SIZE = { width: 64, height: 64 };
const { width, height } = SIZE;
const LARGEST_CORPUS_FILE = 100_000;
const EXTENSIONS = /\.(jpe?g|png|webp|heic|heif|avif|gif|bmp|tiff?|jxl)$/i;
/** Fixtures are rich and few: they come up as often as several files of a folder. */
const COPIES = 6;

type Color = readonly [red: number, green: number, blue: number];
const RED: Color = [255, 0, 0];
const GREEN: Color = [0, 255, 0];

/** The sources of all seeds. */
export interface Sources {
  /** A noisy picture, and two of one color. */
  readonly noisy: Bytes;
  readonly red: Bytes;
  readonly green: Bytes;
}

const flat = (colorType: 2 | 6, color: Color) =>
  makePng({ ...SIZE, colorType, bitDepth: 8, sample: () => [...color, 128] });
const sourcesOf = (colorType: 2 | 6): Sources => ({
  noisy: makePng(plan(colorType, 8, "opaque", SIZE).recipe),
  red: flat(colorType, RED),
  green: flat(colorType, GREEN),
});
const OPAQUE = sourcesOf(2);
const TRANSLUCENT = sourcesOf(6);

/** All seeds: fixtures made in code, what our encoders and native tools make of them, and the images of a folder. */
export async function imageSeeds(encode: Encode, folder: string | undefined): Promise<readonly ImageSeed[]> {
  const fixtures = [...pngSeeds(), ...bitmapSeeds(), ...(await encodedSeeds(encode))];
  const scratch = new Scratch();
  try {
    fixtures.push(...(await nativeSeeds({ opaque: OPAQUE, translucent: TRANSLUCENT, side: width }, scratch)));
  } finally {
    scratch.remove();
  }
  const seeds = Array.from({ length: COPIES }, () => fixtures).flat();
  return folder === undefined ? seeds : [...seeds, ...corpusSeeds(folder, fixtures)];
}

function pngSeeds(): ImageSeed[] {
  const [opaque, translucent] = [OPAQUE, TRANSLUCENT].map(({ red, green }) => ({ red, green }));
  if (!opaque || !translucent) throw new Error("there are two");
  const kinds = [
    ...([0, 2, 4, 6] as const).flatMap((colorType) => [8, 16].map((bitDepth) => ({ colorType, bitDepth }))),
    ...[1, 2, 4, 8].map((bitDepth) => ({ colorType: 3, bitDepth })),
  ] as { colorType: 0 | 2 | 3 | 4 | 6; bitDepth: 1 | 2 | 4 | 8 | 16 }[];
  const seeds = kinds.map(({ colorType, bitDepth }, index) => {
    const transparency = ["opaque", "one color", "graded"][index % 3] ?? "";
    const { recipe } = plan(colorType, bitDepth, transparency, SIZE);
    return {
      name: `png ${colorType} ${bitDepth} ${transparency}`,
      bytes: makePng({ ...recipe, interlaced: index % 4 === 3 }),
      plain: transparency === "opaque" && colorType < 4 ? opaque : translucent,
    };
  });
  const { recipe } = plan(6, 8, "opaque", SIZE);
  const exif = makePng({ ...recipe, chunks: [["eXIf", makeExif(6)]] });
  const profile = makePng({ ...recipe, chunks: [["iCCP", pngProfile(displayP3())]] });
  return [
    ...seeds,
    { name: "png with exif", bytes: exif, plain: translucent },
    { name: "png with a profile", bytes: profile, plain: translucent },
  ];
}

function bitmapSeeds(): ImageSeed[] {
  const gif = (index: (x: number, y: number) => number) =>
    makeGif(width, height, [RED, GREEN, [0, 0, 255], [255, 255, 255]], index);
  const colors = (x: number, y: number) => [4 * x, 4 * y, (x * y) & 255] as const;
  const bmps = { red: makeBmp(width, height, () => RED), green: makeBmp(width, height, () => GREEN) };
  return [
    {
      name: "gif",
      bytes: gif((x, y) => (x ^ y) & 3),
      plain: { red: gif(() => 0), green: gif(() => 1) },
    },
    { name: "bmp", bytes: makeBmp(width, height, colors), plain: bmps },
    {
      name: "bmp with alpha",
      bytes: makeAlphaBmp(width, height, (x, y) => [...colors(x, y), 4 * x]),
      plain: bmps,
    },
    { name: "bmp of 16 bits", bytes: makeDividedBmp("5, 6 and 5 bits", width, height, colors), plain: bmps },
  ];
}

/** What our encoders, and those of the browser, make. */
async function encodedSeeds(encode: Encode): Promise<ImageSeed[]> {
  const seed = async (name: string, { noisy, red, green }: Sources, fields: PageCall["fields"]) => ({
    name,
    bytes: await encode(noisy, fields),
    plain: { red: await encode(red, fields), green: await encode(green, fields) },
  });
  const jpeg = await seed("jpg", OPAQUE, { output_format: "jpg", quality: 0.8 });
  const webp = await seed("webp", OPAQUE, { output_format: "webp", quality: 0.8 });
  const tagged = { exif: makeExif(6), xmp: makeXmp(6), icc: displayP3() };
  return [
    jpeg,
    await seed("jpg of full chroma", OPAQUE, { output_format: "jpg", quality: 1 }),
    { ...jpeg, name: "jpg with exif, xmp and a profile", bytes: jpegWith(jpeg.bytes, tagged) },
    { ...jpeg, name: "jpg without end", bytes: jpeg.bytes.slice(0, -2) },
    { ...jpeg, name: "jpg of 8 scans", bytes: manyScanJpeg({ ...SIZE, scans: 8 }) },
    webp,
    { ...webp, name: "webp with exif", bytes: webpWithExif(webp.bytes, makeExif(6), width, height) },
    await seed("webp, lossless", TRANSLUCENT, { output_format: "webp" }),
    await seed("webp with alpha", TRANSLUCENT, { output_format: "webp", quality: 0.6 }),
    await seed("avif", OPAQUE, { output_format: "avif" }),
    await seed("avif with alpha", TRANSLUCENT, { output_format: "avif" }),
  ];
}

/** The images of up to 100 kB in the folders of a corpus. */
function corpusSeeds(folder: string, fixtures: readonly ImageSeed[]): ImageSeed[] {
  const folders = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => existsSync(path) && statSync(path).isDirectory());
  return folders
    .flatMap((path) => readdirSync(path).map((name) => join(path, name)))
    .filter((path) => EXTENSIONS.test(path) && statSync(path).size <= LARGEST_CORPUS_FILE)
    .map((path) => {
      const extension = EXTENSIONS.exec(path)?.[1]?.toLowerCase().replace("jpeg", "jpg") ?? "";
      const plain = fixtures.find(({ name }) => name.startsWith(extension))?.plain ?? OPAQUE;
      return { name: path.slice(folder.length + 1), bytes: new Uint8Array(readFileSync(path)), plain };
    });
}
