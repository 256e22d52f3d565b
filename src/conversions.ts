import { ServiceError } from "./shared/errors.ts";
import { FORMAT_ROWS, type Format, type FormatId } from "./shared/formats.ts";
import type { Job } from "./shared/protocol.ts";

/** The engine that converts a file, or `remote` for the remote service. */
export type Converter =
  | Extract<Job["engine"], "pdf/repair" | "pdf/to-images" | "pdf/to-text" | "image/convert" | "image/to-pdf">
  | "remote";

/** Whether files may leave the device, and to which service. */
export interface RemoteSettings {
  readonly baseUrl: string | undefined;
  readonly remote: "office" | "never";
}

const formatsOf = (kind: Format["kind"]) =>
  FORMAT_ROWS.filter(([, format]) => format.kind === kind).map(([id]) => id);

const OFFICE = formatsOf("office");
const IMAGES_IN = formatsOf("image");
const IMAGES_OUT: readonly FormatId[] = ["jpg", "png", "webp", "avif"];

/** The engine for each pair of formats. The first row with both formats applies. A pair in no row is not supported. */
const CONVERSIONS: readonly {
  readonly from: readonly FormatId[];
  readonly to: readonly FormatId[];
  readonly by: Converter;
}[] = [
  { from: ["pdf"], to: ["pdf"], by: "pdf/repair" },
  { from: ["pdf"], to: IMAGES_OUT, by: "pdf/to-images" },
  { from: ["pdf"], to: ["txt"], by: "pdf/to-text" },
  { from: IMAGES_IN, to: IMAGES_OUT, by: "image/convert" },
  { from: IMAGES_IN, to: ["pdf"], by: "image/to-pdf" },
  { from: OFFICE, to: [...IMAGES_OUT, "pdf", ...OFFICE], by: "remote" },
  { from: [...IMAGES_IN, "pdf"], to: OFFICE, by: "remote" },
];

/**
 * Returns the engine that converts `from` to `to`, or `remote`.
 *
 * @throws {ServiceError} `unsupported_conversion`; for office formats `remote_refused` or `remote_not_configured`
 */
export function converterOf(from: FormatId, to: FormatId, { baseUrl, remote }: RemoteSettings): Converter {
  const by = CONVERSIONS.find((row) => row.from.includes(from) && row.to.includes(to))?.by;
  const pair = `${from.toUpperCase()} to ${to.toUpperCase()}`;
  const details = { from, to };
  if (by === undefined)
    throw new ServiceError(
      "unsupported_conversion",
      `${pair} is not supported. Choose another format.`,
      details,
    );
  if (by !== "remote") return by;
  if (remote === "never")
    throw new ServiceError(
      "remote_refused",
      `${pair} needs the remote service, but this app does not let files leave the device.`,
      details,
    );
  if (baseUrl === undefined)
    throw new ServiceError(
      "remote_not_configured",
      `${pair} needs the remote service. Set the option "baseUrl" of the client to its URL.`,
      details,
    );
  return by;
}
