/** A decoder of HEVC still pictures. README.md says what it supports and how it is tested. */
export { UnsupportedBitstream } from "./bit-reader.ts";
export { type CodedPicture, readPicture } from "./coded-picture.ts";
export { HevcDecoder, type Planes } from "./hevc-decoder.ts";
export type { VideoSignal } from "./sps.ts";
