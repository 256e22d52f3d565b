import encoderUrl from "@jsquash/avif/codec/enc/avif_enc.wasm?url";
import { bitmapPicture, decodeNatively, pixelsOf } from "../canvas.ts";
import type { Codec } from "../codec.ts";
import { readAvif } from "../containers/avif.ts";
import { encodeClosely } from "../encode-closely.ts";
import { heifMetadata } from "../heif/metadata.ts";
import { shownByProfile } from "../unfollowed-profiles.ts";
import { wasmModule } from "../wasm-module.ts";

const TYPE = "image/avif";
/** Photos stay within 3 of 255 of the original. */
const USUAL_QUALITY = 0.68;
/** For what is drawn rather than photographed. */
const HIGH_QUALITY = 0.9;

/** AVIF, its cover when it moves. The browser turns the picture upright. Read by browsers, written by libavif. */
export const codec: Codec = {
  decoder: {
    async inspect(file) {
      return { images: [await readAvif(file)] };
    },
    async decode(file) {
      const { hasAlpha, icc } = await readAvif(file);
      const picture = bitmapPicture(await decodeNatively(file, TYPE), hasAlpha);
      return icc === undefined ? picture : shownByProfile("avif", picture, icc);
    },
    metadata: (file) => heifMetadata(file),
  },
  encoder: {
    lossy: true,
    alpha: true,
    async encode(picture, { quality }) {
      const { encodeAvif } = await import("../wasm/avif-encoder.ts");
      const module = await wasmModule(encoderUrl);
      const { width, height } = picture;
      const pixels = pixelsOf(picture);
      const at = async (some: number, chroma: "halved" | "full" = "halved") => {
        const bytes = await encodeAvif(module, { pixels, width, height }, 100 * some, chroma);
        if (bytes === null) throw new Error("out of memory in libavif");
        return new Blob([bytes], { type: TYPE });
      };
      if (quality !== undefined) return at(quality);
      return encodeClosely(picture, [() => at(USUAL_QUALITY), () => at(HIGH_QUALITY, "full")]);
    },
  },
};
