import { expose } from "comlink";
import { ServiceError } from "../../src/shared/errors.ts";
import type { ConvertImageOptions } from "../../src/shared/protocol.ts";
import { convertImage } from "../../workers/image/convert.ts";
import type { DecodeOptions, ImageHeader } from "../../workers/image/formats/codec.ts";
import { codec } from "../../workers/image/formats/heic/codec.ts";
import type { TileRequest } from "../../workers/image/formats/heic/tile-decoder.ts";
import { serveTiles } from "../../workers/image/formats/heic/tile-helper.ts";

/** Why a file was refused. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** How a JPEG is made. */
export type JpegOptions = Pick<ConvertImageOptions, "quality" | "maxBytes" | "keepMetadata"> & {
  readonly helpers?: number;
};

/** How a picture came out. */
export type Decoded =
  | {
      readonly width: number;
      readonly height: number;
      readonly hasAlpha: boolean;
      readonly isTagged: boolean;
    }
  | Refusal;

const decoder = {
  async inspect(url: string): Promise<ImageHeader | Refusal> {
    return orRefusal(async () => heic().inspect(await fileAt(url)));
  },
  /** Decodes a picture of the file at one URL, and POSTs its values to another. */
  async decode(url: string, options: DecodeOptions, answer: string): Promise<Decoded> {
    return orRefusal(async () => {
      const picture = await heic().decode(await fileAt(url), options);
      if (picture.kind !== "pixels") throw new Error("this browser reads HEIC by itself");
      const { width, height, hasAlpha, pixels, icc } = picture;
      await fetch(answer, { method: "POST", body: pixels });
      return { width, height, hasAlpha, isTagged: icc !== undefined };
    });
  },
  /** What tells whether two pictures have the same values: they take long to send. */
  async digest(url: string, options: DecodeOptions): Promise<string | Refusal> {
    return orRefusal(async () => {
      const picture = await heic().decode(await fileAt(url), options);
      if (picture.kind === "bitmap" || picture.kind === "frame")
        throw new Error("this browser reads HEIC by itself");
      if (picture.kind === "planes") await picture.arrival?.until(picture.height);
      const values = picture.kind === "pixels" ? [picture.pixels] : Object.values(picture.planes);
      const digests = values.map((some) => crypto.subtle.digest("SHA-256", some));
      return (await Promise.all(digests)).map((digest) => new Uint8Array(digest).join()).join(" ");
    });
  },
  /** What a picture comes as. */
  async kind(url: string, options: DecodeOptions): Promise<string | Refusal> {
    return orRefusal(async () => (await heic().decode(await fileAt(url), options)).kind);
  },
  /** Converts the file at one URL, of one picture, to a JPEG, and POSTs that to another. */
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
  /** How many milliseconds a picture takes. */
  async time(url: string, options: DecodeOptions): Promise<number> {
    const file = await fileAt(url);
    const start = performance.now();
    await heic().decode(file, options);
    return performance.now() - start;
  },
  // Helpers run this script too.
  async help(kind: string, request: TileRequest, port: MessagePort): Promise<void> {
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
