import { expect, test } from "vitest";
import { codec } from "../../workers/image/formats/png/codec.ts";
import { makePng } from "../support/fixtures/image/png.ts";

/** Returns a PNG of 1.2 MB. */
function noise(): Uint8Array<ArrayBuffer> {
  let seed = 1;
  const value = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed >>> 24;
  };
  const sample = () => [value(), value(), value()];
  const size = { width: 640, height: 640 };
  return makePng({ ...size, colorType: 2, bitDepth: 8, chunkBytes: 8192, sample });
}

test("returns damaged_file for a truncated PNG of any size", async () => {
  const open = codec.decoder?.open(new File([noise().slice(0, -300_000)], "noise.png"));
  const decode = async () => {
    const [image] = (await open) ?? [];
    await image?.decoders.browser?.(false);
  };
  await expect(decode()).rejects.toMatchObject({ code: "damaged_file" });
});
