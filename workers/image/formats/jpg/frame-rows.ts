import type { RowSource } from "../../../codecs/jpeg/jpeg-encoder.ts";
import { PLANES, PLANES_HALVED_ACROSS, type StripForm, WHOLE_PLANES } from "../../../codecs/jpeg/mcu-rows.ts";
import type { Planes } from "../../picture/planes.ts";
import type { Size } from "../../picture/size.ts";
import { BAND_ROWS, bandReader } from "./bands.ts";

interface Sampling {
  readonly form: StripForm<Planes>;
  /** How many pixels share a value of chroma. */
  readonly across: number;
  readonly down: number;
}

const SAMPLINGS: ReadonlyMap<string | null, Sampling> = new Map([
  ["I420", { form: PLANES, across: 2, down: 2 }],
  ["I422", { form: PLANES_HALVED_ACROSS, across: 2, down: 1 }],
  ["I444", { form: WHOLE_PLANES, across: 1, down: 1 }],
]);

/** Whether a frame's planes are those of a JPEG of that size (JFIF 1.02: BT.601 in full range). */
export function isLikeJpeg(frame: VideoFrame, { width, height }: Size): boolean {
  const { format, visibleRect, colorSpace } = frame;
  const isWhole = visibleRect?.x === 0 && visibleRect.y === 0;
  const isSame = visibleRect?.width === width && visibleRect.height === height;
  const isBt601 = colorSpace.matrix === "smpte170m" && colorSpace.fullRange === true;
  return SAMPLINGS.has(format) && isWhole && isSame && isBt601;
}

/** The planes of a frame that {@link isLikeJpeg}; nothing of another. */
export function planeRowsOf(frame: VideoFrame, size: Size): RowSource<Planes> | undefined {
  const sampling = isLikeJpeg(frame, size) ? SAMPLINGS.get(frame.format) : undefined;
  if (sampling === undefined) return undefined;
  const { width, height } = size;
  const { form, across, down } = sampling;
  const chromaWidth = Math.ceil(width / across);
  const band = new Uint8Array(BAND_ROWS * (width + 2 * chromaWidth));
  const bandOf = bandReader(height, async (start, end) => {
    const cbAt = (end - start) * width;
    const crAt = cbAt + Math.ceil((end - start) / down) * chromaWidth;
    await frame.copyTo(band, {
      rect: { x: 0, y: start, width, height: end - start },
      layout: [
        { offset: 0, stride: width },
        { offset: cbAt, stride: chromaWidth },
        { offset: crAt, stride: chromaWidth },
      ],
    });
    return { cbAt, crAt };
  });
  return {
    width,
    height,
    form,
    async rows(first, count) {
      const { start, place } = await bandOf(first, count);
      const chromaStart = ((first - start) / down) * chromaWidth;
      const chromaEnd = chromaStart + Math.ceil(count / down) * chromaWidth;
      return {
        luma: band.subarray((first - start) * width, (first + count - start) * width),
        cb: band.subarray(place.cbAt + chromaStart, place.cbAt + chromaEnd),
        cr: band.subarray(place.crAt + chromaStart, place.crAt + chromaEnd),
      };
    },
  };
}
