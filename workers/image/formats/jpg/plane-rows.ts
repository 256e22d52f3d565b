import type { PlaneSource } from "../../../codecs/jpeg/index.ts";
import { chromaSize, type Planes } from "../../picture/planes.ts";
import type { Size } from "../../picture/size.ts";

/** Returns the rows of planes for the encoder. */
export function rowsOfPlanes({ luma, cb, cr }: Planes, { width, height }: Size): PlaneSource {
  const chromaWidth = chromaSize({ width, height }).width;
  return {
    ...{ kind: "planes", width, height, subsampling: { across: 2, down: 2 } },
    async readRows(first, count) {
      const chroma = [(first / 2) * chromaWidth, Math.ceil((first + count) / 2) * chromaWidth] as const;
      return {
        luma: luma.subarray(first * width, (first + count) * width),
        cb: cb.subarray(...chroma),
        cr: cr.subarray(...chroma),
      };
    },
  };
}
