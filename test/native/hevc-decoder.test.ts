import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HevcDecoder, readPicture, UnsupportedBitstream } from "../../workers/codecs/hevc/index.ts";
import { nalUnitsOf } from "../../workers/image/formats/heic/coding.ts";
import { readHeif } from "../../workers/image/formats/heic/read-heic.ts";
import { newPlanes } from "../../workers/image/picture/planes.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";

const missing = announceMissing("the HEVC decoder beside libde265", ["heif-enc", "libde265-dec265"]);
const WASM = new URL("../../workers/codecs/hevc/hevc-decoder.wasm", import.meta.url);

/** Options of x265, named by the coding tools that they turn on or off. */
const CODINGS: readonly (readonly [string, ...string[]])[] = [
  ["default options"],
  ["the fastest preset", "preset=ultrafast"],
  ["the slowest preset", "preset=veryslow"],
  ["entropy coding sync", "x265:wpp=1", "x265:aq-mode=0"],
  ["cu_qp_delta", "x265:aq-mode=3", "x265:qg-size=8"],
  ["transform skip without sign data hiding", "x265:tskip=1", "x265:signhide=0"],
  ["transforms of at most 8 × 8", "x265:max-tu-size=8", "x265:rdpenalty=2"],
  ["CTBs of 32 × 32", "x265:ctu=32", "x265:min-cu-size=16"],
  ["CTBs of 16 × 16", "x265:ctu=16", "x265:max-tu-size=16"],
  ["default scaling lists", "x265:scaling-list=default"],
  ["chroma QP offsets", "x265:cbqpoffs=6", "x265:crqpoffs=-7"],
  [
    "deblocking offsets without strong intra smoothing",
    "x265:deblock=-4,-2",
    "x265:strong-intra-smoothing=0",
  ],
  ["neither deblocking nor SAO", "x265:no-deblock=1", "x265:sao=0"],
];
const START_CODE = Uint8Array.of(0, 0, 0, 1);
/** The first is a multiple of all block sizes. */
const SIZES = [
  { width: 256, height: 192 },
  { width: 201, height: 77 },
  { width: 64, height: 64 },
  { width: 17, height: 130 },
] as const;

describe.skipIf(missing.length > 0)("the HEVC decoder gives the samples of libde265 for", () => {
  const scratch = new Scratch();
  let decoder: HevcDecoder;

  beforeAll(() => {
    decoder = new HevcDecoder(new WebAssembly.Module(readFileSync(WASM)));
  });
  afterAll(() => scratch.remove());

  /** Encodes a picture with x265 and returns its NAL units. */
  async function encode(
    size: (typeof SIZES)[number],
    quality: number,
    coding: readonly string[],
  ): Promise<readonly Uint8Array[]> {
    const [source, file] = [scratch.path("source.png"), scratch.path("coded.heic")];
    writeFileSync(source, makePng({ ...size, colorType: 2, bitDepth: 8, sample: scenery }));
    const options = coding.flatMap((option) => ["-p", option]);
    const { code, stderr } = await runTool("heif-enc", ["-q", `${quality}`, ...options, "-o", file, source]);
    expect(code, stderr).toBe(0);
    const written = new Blob([readFileSync(file)]);
    const [image] = await readHeif(written);
    const tile = image?.kind === "readable" ? image.coding?.tiles[0] : undefined;
    if (!tile) throw new Error("heif-enc did not write a single HEVC item");
    return nalUnitsOf(written, tile);
  }

  /** Decodes NAL units with libde265, as a byte stream (ITU-T H.265, annex B). */
  async function decodeNatively(nalUnits: readonly Uint8Array[]): Promise<Uint8Array> {
    const [stream, samples] = [scratch.path("nal-units.hevc"), scratch.path("samples.yuv")];
    writeFileSync(stream, Buffer.concat(nalUnits.flatMap((nalUnit) => [START_CODE, nalUnit])));
    const { code, stderr } = await runTool("libde265-dec265", ["-q", "-o", samples, stream]);
    expect(code, stderr).toBe(0);
    return readFileSync(samples);
  }

  function decode(nalUnits: readonly Uint8Array[]): Buffer {
    const picture = readPicture(nalUnits);
    const planes = newPlanes(picture.size);
    decoder.decode(picture, planes);
    return Buffer.concat([planes.luma, planes.cb, planes.cr]);
  }

  test.each(CODINGS)("%s", async (_, ...coding) => {
    for (const size of SIZES) {
      for (const quality of [10, 60, 95]) {
        const nalUnits = await encode(size, quality, coding);
        const expected = await decodeNatively(nalUnits);
        const label = `${size.width} × ${size.height} at quality ${quality}`;
        expect(decode(nalUnits).equals(expected), label).toBe(true);
      }
    }
  });

  test.each([
    ["4:4:4", "chroma=444"],
    ["transquant bypass", "lossless=true", "x265:cu-lossless=1"],
  ])("no picture with %s: it throws UnsupportedBitstream", async (_, ...coding) => {
    const nalUnits = await encode(SIZES[0], 60, coding);
    expect(() => decode(nalUnits)).toThrow(UnsupportedBitstream);
  });
});

/** Slopes, lines in many directions, noise and flat parts: blocks of all sizes and intra modes occur. */
function scenery(x: number, y: number): number[] {
  const noise = (Math.imul(x * 7919 + y * 104729, 2654435761) >>> 24) & 255;
  if (x < 60 && y < 60) return [x * 4, y * 4, 128];
  if (x > 150) return [noise, (noise * 3) & 255, 255 - noise];
  if (y > 120) return [200, 30, 90];
  const waves = 127 + 60 * Math.sin((x * x) / 300 + y / 9) + 60 * Math.cos(y / 4 - x / 15);
  return [waves, 255 - waves, (waves + noise / 8) & 255];
}
