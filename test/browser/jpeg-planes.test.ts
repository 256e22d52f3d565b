import { afterEach, describe, expect, test, vi } from "vitest";
import { thisBrowser } from "../../workers/image/browser-traits.ts";
import { decide } from "../../workers/image/decide.ts";
import { decodeImage } from "../../workers/image/decode.ts";
import type { EncoderTraits, SourceImage } from "../../workers/image/formats/codec.ts";
import { bytesIn } from "../../workers/image/formats/encoded-image.ts";
import { codec } from "../../workers/image/formats/jpg/codec.ts";
import { encodeJpeg } from "../../workers/image/formats/jpg/encode-jpeg.ts";
import { readJpeg } from "../../workers/image/formats/jpg/read-jpeg.ts";
import { MARKER } from "../../workers/image/formats/jpg/segments.ts";
import type { Picture } from "../../workers/image/picture/picture.ts";
import { chromaSize } from "../../workers/image/picture/planes.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { concatBytes } from "../support/fixtures/image/bytes.ts";
import { displayP3 } from "../support/fixtures/image/icc.ts";
import { jpegWith, makeExif } from "../support/fixtures/image/metadata.ts";
import { drawing, largestDifference, meanDifference, shown } from "./pictures.ts";

/** Soft colors, with an edge across. */
const colors = (context: OffscreenCanvasRenderingContext2D) => {
  const { width, height } = context.canvas;
  const gradient = context.createLinearGradient(0, 0, width, height);
  for (const [at, color] of [
    [0, "#e04020"],
    [0.4, "#40a0c0"],
    [1, "#20e060"],
  ] as const)
    gradient.addColorStop(at, color);
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
  context.fillStyle = "#f8f0e0";
  context.fillRect(0, 0, width, height / 3);
};

/** Without its profile. Chromium halves the chroma below the highest quality, and keeps all of it there. */
async function photo(width: number, height: number, quality = 0.95): Promise<Uint8Array<ArrayBuffer>> {
  const made = await drawing("image/jpeg", width, height, colors, quality);
  const { segments } = readJpeg(bufferSource(made));
  const profile = segments.find(({ marker }) => marker === MARKER.APP2);
  return concatBytes([made.subarray(0, profile?.start ?? 0), made.subarray(profile?.end ?? 0)]);
}

async function open(bytes: Uint8Array<ArrayBuffer>): Promise<SourceImage> {
  const [image] = (await codec.decoder?.open(new Blob([bytes]))) ?? [];
  if (image === undefined) throw new Error("nobody decodes it");
  return image;
}

async function decode(
  bytes: Uint8Array<ArrayBuffer>,
  { planes = true, keepMetadata = false } = {},
): Promise<Picture> {
  const image = await open(bytes);
  const output: EncoderTraits = {
    ...{ lossy: true, alpha: false, metadata: true },
    accepts: () => ({ planes, fidelity: "display" }),
  };
  const options = { from: "jpg", to: "any", keepMetadata };
  return decodeImage(image, decide(image, output, options, await thisBrowser(image.color)), 0);
}

const encode = async (picture: Picture, quality = 0.95) => {
  const encoded = await codec.encoder?.encode(picture, quality);
  if (encoded === undefined) throw new Error("nobody encodes it");
  return new Blob([encoded], { type: "image/jpeg" });
};

describe("a JPEG in planes", () => {
  // The last MCU row may be cut.
  test.each([
    [1, 1, 0.95],
    [17, 16, 0.95],
    [250, 403, 0.95],
    [250, 403, 1],
    [1301, 1001, 0.95],
    [1301, 1001, 1],
  ])("of %d × %d and quality %d looks the same when it is encoded again", async (width, height, quality) => {
    const source = await photo(width, height, quality);
    const picture = await decode(source);
    if (picture.layout !== "frame") throw new Error(`it is a picture of ${picture.layout}`);
    expect(picture.frame.format).toBe(quality === 1 ? "I444" : "I420");
    const made = await shown(await encode(picture));
    picture.frame.close();
    const before = await shown(new Blob([source]));
    expect([made.width, made.height]).toEqual([width, height]);
    expect(largestDifference(made, before)).toBeLessThan(30);
    expect(meanDifference(made, before)).toBeLessThan(1);
  });

  test("keeps its coded data without other options", async () => {
    const source = await photo(300, 200);
    const coded = await (await open(source)).coded?.();
    expect(coded && bytesIn(coded.data)).toBe(source.length);
  });

  test("is drawn for encoders that take no planes", async () => {
    const source = await photo(300, 200);
    const made = await shown(await encode(await decode(source), 1));
    expect(meanDifference(made, await shown(new Blob([source])))).toBeLessThan(2);
  });

  test("may have a profile of sRGB, which stays with keep_metadata", async () => {
    // Chromium writes one.
    const source = await drawing("image/jpeg", 300, 200, colors, 0.95);
    const picture = await decode(source);
    expect(picture).toMatchObject({ layout: "frame", icc: undefined });
    const drawn = await decode(source, { planes: false });
    const [made, expected] = [await shown(await encode(picture)), await shown(await encode(drawn))];
    expect(meanDifference(made, expected)).toBeLessThan(0.5);
    const kept = await decode(source, { keepMetadata: true });
    expect(kept.layout).toBe("frame");
    expect(kept.icc).toEqual(readJpeg(bufferSource(source)).icc);
    expect(kept.icc).toBeDefined();
  });

  test("is not used if it is rotated, converted or not requested", async () => {
    const source = await photo(300, 200);
    for (const other of [jpegWith(source, { exif: makeExif(6) }), jpegWith(source, { icc: displayP3() })]) {
      expect((await decode(other)).layout).toBe("bitmap");
    }
    expect((await decode(source, { planes: false })).layout).toBe("bitmap");
  });

  test("is complete, or repaired like other JPEGs", async () => {
    const source = await photo(300, 200);
    await expect(decode(source.slice(0, source.length - 500))).rejects.toMatchObject({
      code: "damaged_file",
    });
    const withoutEnd = source.slice(0, source.length - 2);
    const [made, expected] = [await decode(withoutEnd), await decode(withoutEnd, { planes: false })];
    expect(made.layout).toBe("bitmap");
    expect(largestDifference(await shown(await encode(made)), await shown(await encode(expected)))).toBe(0);
  });
});

test.each(["I420", "I422", "I444"] as const)(
  "planes in the format %s are encoded unchanged",
  async (format) => {
    const [width, height] = [202, 302];
    const across = format === "I444" ? 1 : 2;
    const down = format === "I420" ? 2 : 1;
    const luma = Uint8Array.from({ length: width * height }, (_, at) => (at * 7919) % 251);
    // Chroma that is the same in each pair of pixels, so that to halve it makes no difference.
    const { width: chromaWidth, height: chromaHeight } = chromaSize({ width, height });
    const cb = Uint8Array.from({ length: chromaWidth * chromaHeight }, (_, at) => (at * 31) % 256);
    const cr = cb.map((value) => 255 - value);
    const wider = (plane: Uint8Array) =>
      Uint8Array.from({ length: (width * height) / across / down }, (_, at) => {
        const [x, y] = [at % (width / across), Math.floor((at * across) / width)];
        return plane[((y * down) >> 1) * chromaWidth + ((x * across) >> 1)] ?? 0;
      });
    const frame = new VideoFrame(concatBytes([luma, wider(cb), wider(cr)]), {
      ...{ format, codedWidth: width, codedHeight: height, timestamp: 0 },
      colorSpace: { matrix: "smpte170m", fullRange: true },
    });
    const size = { width, height, hasAlpha: false } as const;
    const made = await encodeJpeg({ ...size, layout: "frame", frame }, 0.8);
    frame.close();
    expect(made).toBeDefined();
    expect(made).toEqual(await encodeJpeg({ ...size, layout: "yuv420", planes: { luma, cb, cr } }, 0.8));
  },
);

describe("a browser without planes", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  const another = async (): Promise<typeof import("../../workers/image/formats/jpg/decode-planes.ts")> => {
    const address = new URL("../../workers/image/formats/jpg/decode-planes.ts", import.meta.url);
    // Another one, that knows nothing of the browser yet.
    address.search = crypto.randomUUID();
    return import(/* @vite-ignore */ address.href);
  };

  test("is probed once", async () => {
    const { decodeFrame } = await another();
    const frames: VideoFrame[] = [];
    class Decoder {
      async decode() {
        const init = { format: "RGBX", codedWidth: 2, codedHeight: 2, timestamp: 0 } as const;
        const image = new VideoFrame(new Uint8Array(16), init);
        frames.push(image);
        return { image };
      }
      close() {}
    }
    vi.stubGlobal("ImageDecoder", Decoder);
    const bytes = await photo(2, 2);
    for (let time = 0; time < 2; time++) {
      expect(await decodeFrame(bytes, { width: 2, height: 2 })).toBeUndefined();
    }
    // One, and closed: it is of no format.
    expect(frames.map(({ format }) => format)).toEqual([null]);
  });

  test("may lack ImageDecoder", async () => {
    vi.stubGlobal("ImageDecoder", undefined);
    expect((await decode(await photo(40, 30))).layout).toBe("bitmap");
  });
});
