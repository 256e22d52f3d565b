import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { JpegEncoder } from "../../../../../../workers/codecs/jpeg/jpeg-encoder.ts";
import { BAND_ROWS, BandEncoding } from "../../../../../../workers/image/formats/jpg/old/band-encoding.ts";
import {
  type BandAnswer,
  type BandRequest,
  type BandTask,
  bandWorker,
  handedOver,
} from "../../../../../../workers/image/formats/jpg/old/band-helper.ts";
import { partsOf } from "../../../../../../workers/image/formats/jpg/parallel-encoding.ts";
import { readJpeg } from "../../../../../../workers/image/formats/jpg/read-jpeg.ts";
import { bufferSource } from "../../../../../../workers/io/source.ts";
import {
  falteringHelper,
  inFastTime,
  never,
  scriptedHelper,
  turn,
} from "../../../../../support/scripted-helper.ts";

const compiled = new URL("../../../../../../workers/codecs/jpeg/jpeg-encoder.wasm", import.meta.url);
const QUALITY = 0.8;

let module: WebAssembly.Module;
beforeAll(async () => {
  module = await WebAssembly.compile(readFileSync(compiled));
});

function pixelsOf(width: number, height: number): Uint8ClampedArray {
  return Uint8ClampedArray.from({ length: 4 * width * height }, (_, at) => {
    const [x, y] = [(at >> 2) % width, Math.floor(at / 4 / width)];
    return at % 4 === 3 ? 0 : 128 + 100 * Math.sin(x / (5 + (at % 4))) * Math.cos(y / 9);
  });
}

/** A worker of its own, which has what it is given alone, and does one task after the other, as it is elsewhere. */
function workerElsewhere(request: BandRequest): (task: BandTask) => Promise<BandAnswer> {
  const work = bandWorker(new JpegEncoder(module), request);
  let before: Promise<unknown> = Promise.resolve();
  return (task) => {
    const given = structuredClone(task, { transfer: handedOver(task) });
    const answer = before.then(() => work(given));
    before = answer;
    return answer;
  };
}

type Helpers = ConstructorParameters<typeof BandEncoding>[2];

async function encoded(
  width: number,
  height: number,
  helpersOf: (request: BandRequest) => Helpers,
): Promise<{ file: Buffer<ArrayBuffer>; here: BandTask[] }> {
  const request = { width, quality: QUALITY, backdrop: undefined };
  const here: BandTask[] = [];
  const work = bandWorker(new JpegEncoder(module), request);
  const workHere = (task: BandTask) => {
    here.push(task);
    return work(task);
  };
  const encoding = new BandEncoding({ width, height }, workHere, helpersOf(request));
  const pixels = pixelsOf(width, height);
  // The memory of a band is used again for the next one.
  const room = new Uint8ClampedArray(4 * width * BAND_ROWS);
  for (let at = 0; at < pixels.length; at += room.length) {
    const rows = pixels.subarray(at, at + room.length);
    room.set(rows);
    await encoding.add(room.subarray(0, rows.length));
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { tables, intervals } = await encoding.finish();
  return { file: Buffer.concat(partsOf({ width, height }, QUALITY, tables, intervals)), here };
}

const SIZES = [
  [40, 1],
  [40, 128],
  [40, 129],
  [333, 1000],
  [64, 5000],
] as const;

describe("a picture whose rows come in bands", () => {
  test.each(SIZES)("of %d × %d is encoded by nobody else", async (width, height) => {
    const { file } = await encoded(width, height, () => []);
    expect(readJpeg(bufferSource(file))).toMatchObject({ width, height });
  });

  test.each(SIZES)("of %d × %d comes out the same with helpers", async (width, height) => {
    const alone = await encoded(width, height, () => []);
    const helped = await encoded(width, height, (request) => [
      scriptedHelper(workerElsewhere(request)),
      scriptedHelper(workerElsewhere(request)),
    ]);
    expect(helped.file.equals(alone.file)).toBe(true);
    if (height > 1000) expect(helped.here.length).toBeLessThan(alone.here.length / 2);
  });

  test("gives helpers that nobody has heard of nothing that would be lost", async () => {
    const alone = await encoded(100, 2000, () => []);
    const helper = scriptedHelper<BandTask, BandAnswer>(never);
    const { file } = await encoded(100, 2000, () => [helper]);
    expect(file.equals(alone.file)).toBe(true);
    expect(helper.asked).toEqual([{ kind: "report" }]);
  });

  test("goes on without a helper that cannot come", async () => {
    const alone = await encoded(100, 2000, () => []);
    const helper = scriptedHelper<BandTask, BandAnswer>(async () => undefined);
    expect((await encoded(100, 2000, () => [helper])).file.equals(alone.file)).toBe(true);
  });

  test("is lost with a helper that fails over rows it was given", async () => {
    const failing = (request: BandRequest) => {
      const work = workerElsewhere(request);
      return scriptedHelper<BandTask, BandAnswer>(async (task) => {
        const answer = await work(task);
        return task.kind === "encode" ? undefined : answer;
      });
    };
    await expect(encoded(100, 2000, (request) => [failing(request)])).rejects.toThrow("lost");
  });

  test("asks nothing more of a helper that is let go", async () => {
    const request = { width: 10, quality: QUALITY, backdrop: undefined };
    const helper = scriptedHelper<BandTask, BandAnswer>(async ({ kind }) =>
      kind === "report" ? { memory: undefined, made: undefined } : never(),
    );
    const encoding = new BandEncoding(
      { width: 10, height: 5000 },
      bandWorker(new JpegEncoder(module), request),
      [helper],
    );
    await turn();
    await encoding.add(new Uint8ClampedArray(4 * 10 * BAND_ROWS));
    const { length } = helper.asked;
    expect(length).toBeGreaterThan(1);
    helper.release();
    await turn();
    expect(helper.asked.length).toBe(length);
  });

  test("is lost with a helper that is never heard of again, and that does not take forever", async () => {
    const report = { memory: undefined, made: undefined };
    const faltering = () => falteringHelper<BandTask, BandAnswer>(1, () => report);
    const { result, milliseconds } = await inFastTime(() =>
      encoded(100, 2000, () => [faltering()]).catch(String),
    );
    expect(result).toContain("lost");
    expect(milliseconds).toBeLessThan(60_000);
  });
});
