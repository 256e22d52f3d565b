import { expose } from "comlink";
import { ServiceError } from "../../src/shared/errors.ts";
import type { ConvertImageOptions } from "../../src/shared/protocol.ts";
import { thisBrowser } from "../../workers/image/browser-traits.ts";
import { convertImage } from "../../workers/image/convert.ts";
import { decide } from "../../workers/image/decide.ts";
import { decodeImage } from "../../workers/image/decode.ts";
import type { EncoderTraits } from "../../workers/image/formats/codec.ts";
import { codec } from "../../workers/image/formats/heic/codec.ts";
import type { TileRequest } from "../../workers/image/formats/heic/decode-tile.ts";
import { serveTiles } from "../../workers/image/formats/heic/tiles.ts";
import type { Picture } from "../../workers/image/picture/picture.ts";
import type { HelperKind } from "../../workers/parallel/helper-pool.ts";

/** The reason of a refusal. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** How a JPEG is made. */
export type JpegOptions = Pick<ConvertImageOptions, "quality" | "maxBytes" | "keepMetadata"> & {
  readonly helpers?: number;
};

/** How a picture is decoded. */
export interface HeicOptions {
  /** The index of the picture, from 0. */
  readonly index: number;
  /** Whether values stay in the color space of the file, or become sRGB. */
  readonly profile: "keep" | "convert";
  readonly planes?: boolean;
  readonly helpers?: number;
}

/** A decoded picture. */
export type Decoded =
  | {
      readonly width: number;
      readonly height: number;
      readonly hasAlpha: boolean;
      readonly isTagged: boolean;
    }
  | Refusal;

const decoder = {
  async count(url: string): Promise<number | Refusal> {
    return orRefusal(async () => (await heic().open(await fileAt(url))).length);
  },
  /** Decodes a picture of the file at one URL and sends its values to another. */
  async decode(url: string, options: HeicOptions, answer: string): Promise<Decoded> {
    return orRefusal(async () => {
      const picture = await decodeFile(await fileAt(url), options);
      if (picture.layout !== "rgba") throw new Error("it was not decoded to pixels");
      const { width, height, hasAlpha, pixels, icc } = picture;
      await fetch(answer, { method: "POST", body: pixels });
      return { width, height, hasAlpha, isTagged: icc !== undefined };
    });
  },
  /** The layout that a picture is decoded to. */
  async layout(url: string, options: HeicOptions): Promise<string | Refusal> {
    return orRefusal(async () => (await decodeFile(await fileAt(url), options)).layout);
  },
  /** Converts the file at one URL to a JPEG and sends it to another. */
  async toJpeg(
    url: string,
    { helpers = 0, ...options }: JpegOptions,
    answer: string,
  ): Promise<string | Refusal> {
    return orRefusal(async () => {
      const all = { from: "heic", to: "jpg", name: "picture", ...options } as const;
      const made = await convertImage({ file: await fileAt(url), report: () => {}, helpers }, all);
      if (!(made instanceof Blob)) throw new Error("the file holds several pictures");
      await fetch(answer, { method: "POST", body: made });
      return "done";
    });
  },
  /** The milliseconds to decode a picture. */
  async time(url: string, options: HeicOptions): Promise<number> {
    const file = await fileAt(url);
    const start = performance.now();
    await decodeFile(file, options);
    return performance.now() - start;
  },
  // Helpers run this script too.
  async help(kind: HelperKind, request: TileRequest, port: MessagePort): Promise<void> {
    if (kind !== "heic/tiles") throw new Error(`no task server for ${kind}`);
    await serveTiles(request, port);
  },
};

export type HeicDecoder = Omit<typeof decoder, "help">;

expose(decoder);

function heic() {
  if (codec.decoder === undefined) throw new Error("HEIC has no decoder");
  return codec.decoder;
}

async function decodeFile(file: Blob, options: HeicOptions): Promise<Picture> {
  const { index, profile, planes = false, helpers = 0 } = options;
  const image = (await heic().open(file))[index];
  if (image === undefined) throw new Error(`there is no picture ${index}`);
  const traits: EncoderTraits = {
    ...{ lossy: true, alpha: true, metadata: profile === "keep" },
    accepts: () => ({ planes, fidelity: "alpha" }),
  };
  const browser = await thisBrowser(image.color);
  return decodeImage(image, decide(image, traits, { from: "heic", to: "any" }, browser), helpers);
}

async function fileAt(url: string): Promise<Blob> {
  return (await fetch(url)).blob();
}

async function orRefusal<Value>(attempt: () => Promise<Value>): Promise<Value | Refusal> {
  try {
    return await attempt();
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    return { code: thrown.code, message: thrown.message };
  }
}
