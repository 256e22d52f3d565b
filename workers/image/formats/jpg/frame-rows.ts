import { MCU_SIZE, type PlaneSource } from "../../../codecs/jpeg/index.ts";
import { SUBSAMPLINGS } from "../../picture/planes.ts";
import type { Size } from "../../picture/size.ts";

/** Whether a frame has planes in the color space of JPEG (JFIF 1.02: BT.601 in full range) and that size. */
export function isLikeJpeg(frame: VideoFrame, { width, height }: Size): boolean {
  const { format, visibleRect, colorSpace } = frame;
  const isWhole = visibleRect?.x === 0 && visibleRect.y === 0;
  const isSame = visibleRect?.width === width && visibleRect.height === height;
  const isBt601 = colorSpace.matrix === "smpte170m" && colorSpace.fullRange === true;
  return SUBSAMPLINGS.has(format) && isWhole && isSame && isBt601;
}

/** Returns the rows of a frame for which {@link isLikeJpeg} is true. */
export function planeRowsOf(frame: VideoFrame, size: Size): PlaneSource {
  const subsampling = isLikeJpeg(frame, size) ? SUBSAMPLINGS.get(frame.format) : undefined;
  if (subsampling === undefined) throw new Error("the frame has no planes like those of a JPEG");
  const { width, height } = size;
  const { across, down } = subsampling;
  const chromaWidth = Math.ceil(width / across);
  const rows = new Uint8Array(MCU_SIZE * (width + 2 * chromaWidth));
  return {
    ...{ kind: "planes", width, height, subsampling },
    async readRows(first, count) {
      const cbAt = count * width;
      const chromaBytes = Math.ceil(count / down) * chromaWidth;
      await frame.copyTo(rows, {
        rect: { x: 0, y: first, width, height: count },
        layout: [
          { offset: 0, stride: width },
          { offset: cbAt, stride: chromaWidth },
          { offset: cbAt + chromaBytes, stride: chromaWidth },
        ],
      });
      const chroma = rows.subarray(cbAt, cbAt + 2 * chromaBytes);
      return {
        luma: rows.subarray(0, cbAt),
        cb: chroma.subarray(0, chromaBytes),
        cr: chroma.subarray(chromaBytes),
      };
    },
  };
}
