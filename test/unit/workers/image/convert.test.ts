import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ServiceError } from "../../../../src/shared/errors.ts";
import type { ConvertImageOptions } from "../../../../src/shared/protocol.ts";
import { convertImage } from "../../../../workers/image/convert.ts";
import type { SourceImage } from "../../../../workers/image/formats/codec.ts";
import type { Picture } from "../../../../workers/image/picture/picture.ts";

vi.mock("../../../../workers/image/formats/codecs.ts", () => ({
  decoderOf: () => ({ open: async () => images }),
  encoderOf: () => encoder,
}));
vi.mock("../../../../workers/image/browser/canvas-readback.ts", () => ({ canvasReadback: async () => true }));

const file = new Blob(["all of them"]);
const damaged = new ServiceError("damaged_file", "This image is damaged.");
let bad: readonly number[] = [];
let encodes: (number | undefined)[] = [];

/** Twelve images that remember their numbers. */
const images = Array.from({ length: 12 }, (_, index): SourceImage => {
  const size = { width: 4, height: 3 };
  return {
    ...{ ...size, shown: size, hasAlpha: false },
    decoders: {
      async pixels() {
        if (bad.includes(index + 1)) throw damaged;
        const pixels = new Uint8ClampedArray(4 * 4 * 3).fill(index + 1);
        return { layout: "rgba", ...size, pixels, hasAlpha: false };
      },
    },
  };
});

/** Writes the numbers of images down. */
const encoder = {
  ...{ lossy: true, alpha: false, metadata: false },
  accepts: () => ({ planes: false, fidelity: "display" }),
  encode: async (picture: Picture, quality?: number) => {
    encodes.push(quality);
    const number = picture.layout === "rgba" ? (picture.pixels[0] ?? 0) : 0;
    return new Blob([String(number).padEnd(2 + 1000 * (quality ?? 0.92))]);
  },
};

beforeEach(() => {
  vi.stubGlobal("navigator", { userAgent: "a test" });
  bad = [];
  encodes = [];
});

afterEach(() => {
  vi.unstubAllGlobals();
});

async function convert(options: Partial<ConvertImageOptions> = {}) {
  const told: string[] = [];
  const made = await convertImage(
    { file, report: (phase, done, total) => told.push(`${phase} ${done}/${total}`), helpers: 0 },
    { from: "heic", to: "jpg", name: "holiday", ...options },
  );
  if (made instanceof Blob) return { content: (await made.text()).trim(), told };
  const files: [string, string][] = [];
  for await (const { name, content } of made)
    files.push([name, (await new Blob([content as BlobPart]).text()).trim()]);
  return { files, told };
}

describe("the selected images and their names", () => {
  test("are all images by default, with numbers of equal width", async () => {
    const { files, told } = await convert();
    expect(files).toHaveLength(12);
    expect(files?.[0]).toEqual(["holiday-01.jpg", "1"]);
    expect(files?.[11]).toEqual(["holiday-12.jpg", "12"]);
    expect(told).toHaveLength(12);
    expect(told.at(-1)).toBe("working 12/12");
  });

  test("are those of pages in its order, each once", async () => {
    expect((await convert({ pages: "12,3-4,4" })).files).toEqual([
      ["holiday-12.jpg", "12"],
      ["holiday-03.jpg", "3"],
      ["holiday-04.jpg", "4"],
    ]);
  });

  test("are one file without an archive", async () => {
    expect(await convert({ pages: "7" })).toEqual({ content: "7", told: ["working 1/1"] });
  });

  test("are invalid_page_selection for a missing image", async () => {
    await expect(convert({ pages: "13" })).rejects.toMatchObject({
      code: "invalid_page_selection",
      details: { position: 0, page_count: 12 },
    });
  });
});

describe("images that cannot be converted", () => {
  test("do not stop the others, and the archive reports them", async () => {
    bad = [2];
    expect((await convert({ pages: "1-3" })).files).toEqual([
      ["holiday-01.jpg", "1"],
      ["holiday-02.failed.txt", "This image is damaged. (damaged_file)"],
      ["holiday-03.jpg", "3"],
    ]);
  });

  test("are an error if there are no others", async () => {
    bad = [1, 2];
    await expect(convert({ pages: "1-2" })).rejects.toBe(damaged);
    await expect(convert({ pages: "2" })).rejects.toBe(damaged);
  });
});

describe("max_bytes", () => {
  test("is met with at most six encodes, at nearly the best quality", async () => {
    const { content } = await convert({ pages: "1", maxBytes: 400 });
    expect(content).toBe("1");
    expect(encodes.length).toBeLessThanOrEqual(6);
    const met = encodes.filter((quality) => 2 + 1000 * (quality ?? 0.92) <= 400);
    expect(Math.max(...met.map((quality) => quality ?? 0))).toBeGreaterThan(0.36);
  });

  test("changes nothing if it is met already", async () => {
    await convert({ pages: "1", maxBytes: 2000 });
    expect(encodes).toEqual([undefined]);
    encodes = [];
    await convert({ pages: "1", maxBytes: 2000, quality: 0.5 });
    expect(encodes).toEqual([0.5]);
  });

  test("never exceeds the given quality", async () => {
    await convert({ pages: "1", maxBytes: 250, quality: 0.3 });
    expect(Math.max(...encodes.map((quality) => quality ?? 1))).toBe(0.3);
  });

  test("that cannot be met names the smallest size", async () => {
    await expect(convert({ pages: "1", maxBytes: 1 })).rejects.toMatchObject({
      code: "invalid_parameter",
      details: { parameter: "max_bytes", smallest: 2 },
    });
    expect(encodes).toHaveLength(2);
  });
});

test("keep_metadata is refused for an output without metadata", async () => {
  await expect(convert({ pages: "1", keepMetadata: true })).rejects.toMatchObject({
    code: "invalid_parameter",
    details: { parameter: "keep_metadata" },
  });
});
