import encoderUrl from "@jsquash/avif/codec/enc/avif_enc.wasm?url";
import { bitmapPicture, decodeNatively, pixelsOf } from "../canvas.ts";
import type { Codec } from "../codec.ts";
import { readAvif } from "../containers/avif.ts";
import { heifMetadata } from "../heif/metadata.ts";
import { wasmModule } from "../wasm-module.ts";

const TYPE = "image/avif";
/** Photos stay within 3 of 255 of the original. */
const USUAL_QUALITY = 0.68;

/** AVIF, its cover when it moves. The browser turns the picture upright. Read by browsers, written by libavif. */
export const codec: Codec = {
  decoder: {
    async inspect(file) {
      return { images: [await readAvif(file)] };
    },
    async decode(file) {
      const { hasAlpha } = await readAvif(file);
      return bitmapPicture(await decodeNatively(file, TYPE), hasAlpha);
    },
    metadata: (file) => heifMetadata(file),
  },
  encoder: {
    lossy: true,
    alpha: true,
    async encode(picture, { quality = USUAL_QUALITY }) {
      const { encodeAvif } = await import("../wasm/avif-encoder.ts");
      const module = await wasmModule(encoderUrl);
      const { width, height } = picture;
      const bytes = await encodeAvif(module, pixelsOf(picture), width, height, quality * 100);
      if (bytes === null) throw new Error("out of memory in libavif");
      return new Blob([bytes], { type: TYPE });
    },
  },
};
