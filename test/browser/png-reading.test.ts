import { expect, test } from "vitest";
import { codec } from "../../workers/image/formats/png/codec.ts";
import { release } from "../../workers/image/picture/convert-layout.ts";
import { makeExif } from "../support/fixtures/image/metadata.ts";
import { makePng, type PngPlan } from "../support/fixtures/image/png.ts";

/** A file that notes how many bytes of it are read here, not by the browser's decoder. */
class WatchedFile extends File {
  readonly reads: number[] = [];

  override slice(start?: number, end?: number, type?: string): Blob {
    const part = super.slice(start, end, type);
    part.arrayBuffer = () => {
      this.reads.push(part.size);
      return Blob.prototype.arrayBuffer.call(part);
    };
    return part;
  }
}

/** So large that neither its beginning nor its end is all of it. */
function noise(lateChunks?: PngPlan["chunks"]): Uint8Array<ArrayBuffer> {
  let seed = 1;
  const value = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed >>> 24;
  };
  const sample = () => [value(), value(), value()];
  const size = { width: 640, height: 640 };
  return makePng({ ...size, colorType: 2, bitDepth: 8, chunkBytes: 8192, sample, lateChunks });
}

async function decoded(png: Uint8Array<ArrayBuffer>) {
  const file = new WatchedFile([png], "noise.png");
  const [image] = (await codec.decoder?.open(file)) ?? [];
  const picture = await image?.decode({
    layouts: image.layouts,
    colors: { profile: "convert", records: false },
    fidelity: "display",
    helpers: 0,
  });
  if (picture === undefined) throw new Error("PNGs can be read");
  release(picture);
  return { size: [picture.width, picture.height], read: file.reads.reduce((sum, one) => sum + one, 0), file };
}

test("reads only the beginning and the end of a PNG that the browser decodes", async () => {
  const { size, read, file } = await decoded(noise());
  expect(file.size).toBeGreaterThan(600_000);
  expect(size).toEqual([640, 640]);
  expect(read).toBeLessThan(file.size);
});

test("reads a PNG completely when it has chunks after its pixels", async () => {
  const { read, file } = await decoded(noise([["eXIf", makeExif(6)]]));
  expect(read).toBeGreaterThanOrEqual(file.size);
});

test("returns damaged_file for a truncated PNG of any size", async () => {
  await expect(decoded(noise().slice(0, -300_000))).rejects.toMatchObject({ code: "damaged_file" });
});
