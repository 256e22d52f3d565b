import type { Converter } from "./converter/converter.ts";
import { IMAGE_FORMATS, OFFICE_FORMATS } from "./shared/format-names.ts";
import type { FormatId } from "./shared/formats.ts";
import type { Job } from "./shared/protocol.ts";

/** The engine of the worker that converts a file. */
type DeviceEngine = Extract<
  Job["engine"],
  "pdf/repair" | "pdf/to-images" | "pdf/to-text" | "image/convert" | "image/to-pdf"
>;

/** A converter of the app. */
export interface AppConverter {
  /** Whether it sends the file away from the device. */
  readonly uploads: boolean;
  readonly convert: Converter["convert"];
}

/** What converts a file: an engine of the worker, a converter of the app, or the remote service. */
export type ConvertedBy = DeviceEngine | AppConverter | "remote";

/** A row of the table of conversions: every format of `from` becomes every one of `to`. */
export interface Conversion<By extends ConvertedBy = AppConverter> {
  readonly from: readonly FormatId[];
  readonly to: readonly FormatId[];
  readonly by: By;
}

const IMAGES_OUT: readonly FormatId[] = ["jpg", "png", "webp", "avif"];

/** The engine for each pair of formats that the device converts. The first row with both formats applies. */
export const ON_DEVICE: readonly Conversion<DeviceEngine>[] = [
  { from: ["pdf"], to: ["pdf"], by: "pdf/repair" },
  { from: ["pdf"], to: IMAGES_OUT, by: "pdf/to-images" },
  { from: ["pdf"], to: ["txt"], by: "pdf/to-text" },
  { from: IMAGE_FORMATS, to: IMAGES_OUT, by: "image/convert" },
  { from: IMAGE_FORMATS, to: ["pdf"], by: "image/to-pdf" },
];

/** The pairs that the remote service converts. */
export const REMOTE: readonly Conversion<"remote">[] = [
  { from: OFFICE_FORMATS, to: [...IMAGES_OUT, "pdf", ...OFFICE_FORMATS], by: "remote" },
  { from: [...IMAGE_FORMATS, "pdf"], to: OFFICE_FORMATS, by: "remote" },
];

/** Returns whether the device itself converts a pair. */
export function isOnDevice(from: FormatId, to: FormatId): boolean {
  return rowFor(from, to, ON_DEVICE) !== undefined;
}

/** Returns the first row with both formats. */
export function rowFor(
  from: FormatId,
  to: FormatId,
  rows: readonly Conversion<ConvertedBy>[],
): Conversion<ConvertedBy> | undefined {
  return rows.find((row) => row.from.includes(from) && row.to.includes(to));
}
