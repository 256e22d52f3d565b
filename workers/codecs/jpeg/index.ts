/** An encoder of baseline JPEGs. README.md says what it supports and how it is tested. */
export { JpegEncoder } from "./jpeg-encoder.ts";
export {
  type GraySource,
  MCU_SIZE,
  type PixelSource,
  type PlaneSource,
  pixelSource,
  type Subsampling,
} from "./mcu-rows.ts";
