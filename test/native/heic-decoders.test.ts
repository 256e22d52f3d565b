import { readFileSync, writeFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { decodeHeic } from "../../workers/image/formats/heic/decode.ts";
import type { HeifImage } from "../../workers/image/formats/heic/images.ts";
import { readHeif } from "../../workers/image/formats/heic/read-heic.ts";
import { pixelsOf } from "../../workers/image/picture/convert-layout.ts";
import type { Picture } from "../../workers/image/picture/picture.ts";
import { gridOfImages } from "../support/fixtures/heic-grid.ts";
import { clap, icc, imir, irot, ispe, makeHeif, nclx } from "../support/fixtures/heif.ts";
import { displayP3 } from "../support/fixtures/image/icc.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { imagesOf } from "../support/fixtures/tiled-heic.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";

const missing = announceMissing("our decoder of HEIC beside libheif", ["heif-enc"]);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The requested WebAssembly modules. */
const asked = vi.hoisted(() => new Set<string>());

vi.mock("../../workers/wasm/wasm-module.ts", () => ({
  wasmModule: async (address: string) => {
    asked.add(address.split("/").at(-1) ?? "");
    return new WebAssembly.Module(readFileSync(joinPath(ROOT, address)));
  },
}));

type Box = Uint8Array<ArrayBuffer>;

const TURNS: readonly { readonly name: string; readonly turns: readonly Box[] }[] = [
  { name: "upright", turns: [] },
  { name: "turned left", turns: [irot(1)] },
  { name: "upside down", turns: [irot(2)] },
  { name: "turned right", turns: [irot(3)] },
  { name: "mirrored", turns: [imir(1)] },
  { name: "mirrored, top to bottom", turns: [imir(0)] },
  { name: "turned, then mirrored", turns: [irot(1), imir(1)] },
  { name: "mirrored, then turned", turns: [imir(1), irot(1)] },
];
const SIDE = 64;
const TILED = { width: 150, height: 100 };
/** The largest mean difference, of 255. libheif converts to RGB and back to planes and rounds each time. */
const LARGEST_MEAN = 1;
/** Even, because libheif crops chroma planes at whole samples: an odd place moves its chroma by a pixel. */
const CROP = clap(60, 1, 40, 1, 4, 1, 8, 1);

describe.skipIf(missing.length > 0)("our HEVC decoder gives the same picture as libheif for", () => {
  const scratch = new Scratch();
  let whole: ReturnType<typeof imagesOf>;
  let tiles: ReturnType<typeof imagesOf>;
  const size = { width: 120, height: 88 };

  beforeAll(async () => {
    whole = imagesOf(await encodedFile([size]));
    const six = await encodedFile(Array.from({ length: 6 }, () => ({ width: SIDE, height: SIDE })));
    tiles = imagesOf(six);
  });
  beforeEach(() => asked.clear());
  afterAll(() => scratch.remove());

  async function encodedFile(sizes: readonly (typeof size)[]): Promise<Uint8Array<ArrayBuffer>> {
    const sources = sizes.map((one, index) => {
      const path = scratch.path(`source-${index}.png`);
      // Luma has a texture. Chroma is smooth, because libheif repeats chroma samples, and Stayput interpolates them.
      const texture = (x: number, y: number) => (x * 5 + y * 7) % 64;
      const sample = (x: number, y: number) => [x, y + index * 8, 90].map((value) => value + texture(x, y));
      writeFileSync(path, makePng({ ...one, colorType: 2, bitDepth: 8, sample }));
      return path;
    });
    const file = scratch.path("coded.heic");
    const { code, stderr } = await runTool("heif-enc", ["-q", "70", "-o", file, ...sources]);
    expect(code, stderr).toBe(0);
    return new Uint8Array(readFileSync(file));
  }

  /** A HEIC without tiles. */
  function inOnePiece(...properties: readonly Box[]): Uint8Array<ArrayBuffer> {
    const [data] = whole.pictures;
    const own = [whole.coding, ispe(size.width, size.height), ...properties];
    if (data === undefined) throw new Error("there is no picture");
    return makeHeif({ primary: 1, items: [{ id: 1, type: "hvc1", properties: own, data }] });
  }

  /** A HEIC of tiles, some of which extend over the edge. */
  function inTiles(...turns: readonly Box[]): Uint8Array<ArrayBuffer> {
    const { coding, pictures } = tiles;
    const grid = { columns: 3, tile: { width: SIDE, height: SIDE }, repeats: 1 };
    return gridOfImages({ coding, pictures }, grid, TILED, turns);
  }

  async function decode(bytes: Uint8Array<ArrayBuffer>, isOurs: boolean): Promise<Picture> {
    const file = new Blob([bytes]);
    const [image] = await readHeif(file);
    if (image?.kind !== "readable") throw new Error("it has no picture");
    const which: HeifImage = isOurs ? image : { ...image, coding: undefined };
    return decodeHeic(file, which, 0);
  }

  async function expectAlike(bytes: Uint8Array<ArrayBuffer>, layout = "yuv420"): Promise<void> {
    const ours = await decode(bytes, true);
    expect([...asked]).toEqual(["hevc-decoder.wasm"]);
    const theirs = await decode(bytes, false);
    expect(ours).toMatchObject({ layout, width: theirs.width, height: theirs.height });
    expect(meanDifference(ours, theirs)).toBeLessThan(LARGEST_MEAN);
  }

  test.each(TURNS)("in one piece, $name", ({ turns }) => expectAlike(inOnePiece(...turns)));
  test.each(TURNS)("in tiles, $name", ({ turns }) => expectAlike(inTiles(...turns)));
  test("with a profile", () => expectAlike(inOnePiece(icc(displayP3()))));
  test.each([
    ["Display P3", nclx(12, 13)],
    ["PQ", nclx(9, 16)],
    ["HLG", nclx(9, 18)],
  ])("with the code points of %s, whose values stay", (_, color) => expectAlike(inOnePiece(color)));
  test("in one piece, cropped", () => expectAlike(inOnePiece(CROP), "rgba"));
  test("in one piece, rotated, then cropped", () => expectAlike(inOnePiece(irot(1), CROP), "rgba"));

  test("gives the same result as libheif for a damaged file", async () => {
    const bytes = inOnePiece();
    bytes.fill(0, -200, -100);
    const outcomes = [true, false].map((isOurs) => decode(bytes, isOurs).catch((thrown) => thrown));
    const [ours, theirs] = await Promise.all(outcomes);
    expect(ours).toEqual(theirs);
  });
});

function meanDifference(one: Picture, other: Picture): number {
  const [values, wanted] = [pixelsOf(one), pixelsOf(other)];
  return values.reduce((sum, value, at) => sum + Math.abs(value - (wanted[at] ?? 0)), 0) / values.length;
}
