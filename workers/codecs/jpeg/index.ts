/** An encoder of baseline JPEGs. README.md says what it supports and how it is tested. */
export { optimalCoding } from "./entropy-coding.ts";
export { JpegEncoder, type McuRowRange, sampleMcuRows } from "./jpeg-encoder.ts";
export { jpegOfIntervals } from "./jpeg-file.ts";
export {
  MCU_SIZE,
  type PixelSource,
  type PlaneSource,
  pixelSource,
  type RowSource,
  type Subsampling,
} from "./mcu-rows.ts";
