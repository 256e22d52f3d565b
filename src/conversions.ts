import { ServiceError } from "./shared/errors.ts";
import { FORMATS, type FormatId } from "./shared/formats.ts";
import type { Job } from "./shared/protocol.ts";

/** Who does a conversion: one of the worker's engines, or the remote service. */
export type Converter =
  | Extract<Job["engine"], "pdf/normalize" | "pdf/to-images" | "image/convert" | "image/to-pdf">
  | "remote";

/** Whether and where conversions may leave the device. */
export interface RemoteSettings {
  readonly baseUrl: string | undefined;
  readonly remote: "office" | "never";
}

const OFFICE = (Object.keys(FORMATS) as FormatId[]).filter((format) => FORMATS[format].kind === "office");
const IMAGES_IN: readonly FormatId[] = ["jpg", "png", "webp", "heic", "avif", "gif", "bmp"];
const IMAGES_OUT: readonly FormatId[] = ["jpg", "png", "webp", "avif"];

/** From × to: who does it. The first row that holds both formats decides; a pair in no row is not offered. */
const CONVERSIONS: readonly {
  readonly from: readonly FormatId[];
  readonly to: readonly FormatId[];
  readonly by: Converter;
}[] = [
  { from: ["pdf"], to: ["pdf"], by: "pdf/normalize" },
  { from: ["pdf"], to: IMAGES_OUT, by: "pdf/to-images" },
  { from: IMAGES_IN, to: IMAGES_OUT, by: "image/convert" },
  { from: IMAGES_IN, to: ["pdf"], by: "image/to-pdf" },
  { from: OFFICE, to: [...IMAGES_OUT, "pdf", ...OFFICE], by: "remote" },
  { from: [...IMAGES_IN, "pdf"], to: OFFICE, by: "remote" },
];

/**
 * Who makes `to` out of `from`.
 *
 * @throws {ServiceError} `unsupported_conversion`, and for office formats `remote_refused` or
 * `remote_not_configured`
 */
export function converterOf(from: FormatId, to: FormatId, { baseUrl, remote }: RemoteSettings): Converter {
  const by = CONVERSIONS.find((row) => row.from.includes(from) && row.to.includes(to))?.by;
  const pair = `${from.toUpperCase()} to ${to.toUpperCase()}`;
  const details = { from, to };
  if (by === undefined)
    throw new ServiceError("unsupported_conversion", `This version does not convert ${pair}.`, details);
  if (by !== "remote") return by;
  if (remote === "never")
    throw new ServiceError(
      "remote_refused",
      `${pair} needs the remote service, and this app does not let files leave the device (remote: "never").`,
      details,
    );
  if (baseUrl === undefined)
    throw new ServiceError(
      "remote_not_configured",
      `${pair} needs the remote service: give createClient its baseUrl.`,
      details,
    );
  return by;
}
