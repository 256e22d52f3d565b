import { afterAll, describe, expect, test } from "vitest";
import { createClient, ServiceError } from "../../src/index.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { blobOf, bytesOf } from "./pictures.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Color = readonly [red: number, green: number, blue: number];

const SIZE = { width: 64, height: 64 };
/** All jobs run in one worker. */
const client = createClient({ maxWorkers: 1 });
afterAll(() => client.close());

async function convert(bytes: Bytes, output_format: string, quality?: number): Promise<Bytes> {
  const result = await client.convert({ file: new File([bytes], "picture"), output_format, quality });
  const output = await bytesOf(await blobOf(result));
  client.release(result);
  return output;
}

/** The pixels of a picture, or the code of the error. */
async function outcome(bytes: Bytes): Promise<string> {
  try {
    return (await convert(bytes, "png")).toString();
  } catch (thrown) {
    if (thrown instanceof ServiceError) return thrown.code;
    throw thrown;
  }
}

const flat = (color: Color, alpha: number) =>
  makePng({ ...SIZE, colorType: 6, bitDepth: 8, sample: () => [...color, alpha] });
const noisy = (alpha: number) =>
  makePng({
    ...{ ...SIZE, colorType: 6, bitDepth: 8 },
    sample: (x, y) => [(x * 37) & 255, (y * 91) & 255, (x * y) & 255, alpha],
  });

/** Cut-off files, and files whose middle is overwritten or missing. */
function damaged(bytes: Bytes): Bytes[] {
  const cuts = [0.2, 0.5, 0.8, 0.98].map((share) => bytes.slice(0, Math.floor(share * bytes.length)));
  const marks = [0.4, 0.6, 0.9].flatMap((share) => {
    const at = Math.floor(share * bytes.length);
    const [overwritten, shorter] = [bytes.slice(), bytes.slice()];
    overwritten.fill(0x55, at, at + 8);
    shorter.copyWithin(at, at + 8);
    return [overwritten, shorter];
  });
  return [bytes, ...cuts, ...marks];
}

describe("a damaged picture shows nothing of the picture before it in the same worker", () => {
  test.each([
    ["jpg", 255, 0.8],
    ["jpg", 255, 1],
    ["png", 255, undefined],
    ["png", 128, undefined],
    ["webp", 255, 0.8],
    ["webp", 128, 0.8],
    ["webp", 128, undefined],
    ["avif", 255, undefined],
    ["avif", 128, undefined],
  ])("%s with an alpha of %i, quality %s", async (format, alpha, quality) => {
    const encoded = (png: Bytes) => convert(png, format, quality);
    const red = await encoded(flat([255, 0, 0], alpha));
    const green = await encoded(flat([0, 255, 0], alpha));
    expect(await outcome(red)).not.toBe(await outcome(green));
    for (const bytes of damaged(await encoded(noisy(alpha)))) {
      await convert(red, "png");
      const afterRed = await outcome(bytes);
      await convert(green, "png");
      expect(await outcome(bytes)).toBe(afterRed);
    }
  });
});
