import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UnsupportedBitstream } from "../../workers/codecs/hevc/bit-reader.ts";
import { HevcDecoder, readPicture } from "../../workers/codecs/hevc/hevc-decoder.ts";
import { unitsOf } from "../../workers/image/isobmff/coding.ts";
import { readHeif } from "../../workers/image/isobmff/read.ts";
import { newPlanes, type Planes } from "../../workers/image/picture/planes.ts";
import { HEVC_SEGMENTS } from "../support/fixtures/image/hevc.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";

const missing = announceMissing("our decoder of HEVC beside libde265", ["heif-enc", "libde265-dec265"]);
const compiled = new URL("../../workers/codecs/hevc/hevc-decoder.wasm", import.meta.url);

/** What x265 is to do otherwise, and how large the picture is: of whole blocks, and of others. */
const CODINGS: readonly (readonly [string, ...string[]])[] = [
  ["as it comes"],
  ["quickly", "preset=ultrafast"],
  ["thoroughly", "preset=veryslow"],
  ["rows that begin anew", "x265:wpp=1", "x265:aq-mode=0"],
  ["quantizers that change", "x265:aq-mode=3", "x265:qg-size=8"],
  ["blocks without a transform", "x265:tskip=1", "x265:signhide=0"],
  ["small blocks of the transform", "x265:max-tu-size=8", "x265:rdpenalty=2"],
  ["small trees", "x265:ctu=32", "x265:min-cu-size=16"],
  ["the smallest trees", "x265:ctu=16", "x265:max-tu-size=16"],
  ["scaled coefficients", "x265:scaling-list=default"],
  ["other quantizers of chroma", "x265:cbqpoffs=6", "x265:crqpoffs=-7"],
  ["edges that are hardly smoothed", "x265:deblock=-4,-2", "x265:strong-intra-smoothing=0"],
  ["edges that are not smoothed", "x265:no-deblock=1", "x265:sao=0"],
];
const START_CODE = Uint8Array.of(0, 0, 0, 1);
const SIZES = [
  { width: 256, height: 192 },
  { width: 201, height: 77 },
  { width: 64, height: 64 },
  { width: 17, height: 130 },
] as const;

describe.skipIf(missing.length > 0)("HEVC as x265 writes it", () => {
  const scratch = new Scratch();
  let decoder: HevcDecoder;

  beforeAll(() => {
    decoder = new HevcDecoder(new WebAssembly.Module(readFileSync(compiled)));
  });
  afterAll(() => scratch.remove());

  async function encoded(size: (typeof SIZES)[number], quality: number, coding: readonly string[]) {
    const [source, file] = [scratch.path("source.png"), scratch.path("coded.heic")];
    writeFileSync(source, makePng({ ...size, colorType: 2, bitDepth: 8, sample: scenery }));
    const options = coding.flatMap((option) => ["-p", option]);
    const { code, stderr } = await runTool("heif-enc", ["-q", `${quality}`, ...options, "-o", file, source]);
    expect(code, stderr).toBe(0);
    return file;
  }

  /** What native libde265 makes of units, each with a start code before it (ITU-T H.265, annex B). */
  async function native(units: readonly Uint8Array[]): Promise<Uint8Array> {
    const [stream, values] = [scratch.path("units.hevc"), scratch.path("values.yuv")];
    writeFileSync(stream, Buffer.concat(units.flatMap((unit) => [START_CODE, unit])));
    const { code, stderr } = await runTool("libde265-dec265", ["-q", "-o", values, stream]);
    expect(code, stderr).toBe(0);
    return readFileSync(values);
  }

  async function unitsIn(file: string): Promise<readonly Uint8Array[]> {
    const bytes = new Uint8Array(readFileSync(file));
    const [image] = await readHeif(new Blob([bytes]));
    const piece = image?.kind === "readable" ? image.coding?.pieces[0] : undefined;
    if (!piece) throw new Error("it is not coded in one piece");
    return unitsOf(bytes, piece);
  }

  function decoded(units: readonly Uint8Array[]): Planes {
    const picture = readPicture(units);
    const planes = newPlanes(picture.size);
    for (const _ of decoder.decode(picture, planes));
    return planes;
  }

  test.each(CODINGS)("%s", async (_, ...coding) => {
    for (const size of SIZES) {
      for (const quality of [10, 60, 95]) {
        const file = await encoded(size, quality, coding);
        const units = await unitsIn(file);
        const { luma, cb, cr } = decoded(units);
        const wanted = await native(units);
        const what = `${size.width} × ${size.height} at ${quality}`;
        expect(luma.length + cb.length + cr.length, what).toBe(wanted.length);
        expect(Buffer.concat([luma, cb, cr]).equals(wanted), what).toBe(true);
      }
    }
  });

  test("segments that go on with others, whose quantizers do so, too", async () => {
    const { luma, cb, cr } = decoded(HEVC_SEGMENTS);
    expect(Buffer.concat([luma, cb, cr]).equals(await native(HEVC_SEGMENTS))).toBe(true);
  });

  test.each([
    ["chroma that is not halved", "chroma=444"],
    ["values without loss", "lossless=true", "x265:cu-lossless=1"],
  ])("%s are left to libheif", async (_, ...coding) => {
    const file = await encoded(SIZES[0], 60, coding);
    const units = await unitsIn(file);
    expect(() => decoded(units)).toThrow(UnsupportedBitstream);
  });
});

/** Slopes, lines in many directions, noise and flat parts, so that blocks of all sizes and directions occur. */
function scenery(x: number, y: number): number[] {
  const noise = (Math.imul(x * 7919 + y * 104729, 2654435761) >>> 24) & 255;
  if (x < 60 && y < 60) return [x * 4, y * 4, 128];
  if (x > 150) return [noise, (noise * 3) & 255, 255 - noise];
  if (y > 120) return [200, 30, 90];
  const waves = 127 + 60 * Math.sin((x * x) / 300 + y / 9) + 60 * Math.cos(y / 4 - x / 15);
  return [waves, 255 - waves, (waves + noise / 8) & 255];
}
