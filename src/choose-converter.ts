import { type Conversion, type ConvertedBy, ON_DEVICE, REMOTE, rowFor } from "./conversions.ts";
import { type ErrorCode, ServiceError } from "./shared/errors.ts";
import type { FormatId } from "./shared/formats.ts";

/** Where files are converted. */
export type Place = "device" | "converter" | "remote";

/** What may convert files beside the device: converters of the app, and a service if files may leave the device. */
export interface ConversionSettings {
  readonly baseUrl: string | undefined;
  readonly remote: "office" | "never";
  /** Tried before the remote service. Default: none. */
  readonly converters?: readonly Conversion[];
}

/**
 * Returns where `from` is converted to `to`: on the device, by a converter of the app, or by the remote service. Returns
 * undefined if nothing converts the pair, or the file may not be sent where it would go.
 */
export function placeOf(from: FormatId, to: FormatId, settings: ConversionSettings): Place | undefined {
  const by = findConverter(from, to, settings);
  if (by === undefined || refusalOf(from, to, by, settings) !== undefined) return undefined;
  if (by === "remote") return by;
  return typeof by === "object" ? "converter" : "device";
}

/**
 * Returns what converts `from` to `to`.
 *
 * @throws {ServiceError} `unsupported_conversion`; for what leaves the device `remote_refused` or `remote_not_configured`
 */
export function converterOf(from: FormatId, to: FormatId, settings: ConversionSettings): ConvertedBy {
  const by = findConverter(from, to, settings);
  const refusal = refusalOf(from, to, by, settings);
  if (by === undefined || refusal !== undefined) throw refusal;
  return by;
}

/** Returns what would convert a pair if files could go everywhere. */
function findConverter(
  from: FormatId,
  to: FormatId,
  { converters = [] }: ConversionSettings,
): ConvertedBy | undefined {
  return rowFor(from, to, [...ON_DEVICE, ...converters, ...REMOTE])?.by;
}

/** Returns the error if a pair is not supported, or its file may not be sent where it would go. */
function refusalOf(
  from: FormatId,
  to: FormatId,
  by: ConvertedBy | undefined,
  { baseUrl, remote }: ConversionSettings,
): ServiceError | undefined {
  const pair = `${from.toUpperCase()} to ${to.toUpperCase()}`;
  const refused = (code: ErrorCode, reason: string) =>
    new ServiceError(code, `${pair} ${reason}`, { from, to });
  if (by === undefined) return refused("unsupported_conversion", "is not supported. Choose another format.");
  const leaves = typeof by === "object" ? by.uploads : by === "remote";
  if (leaves && remote === "never")
    return refused(
      "remote_refused",
      `needs ${by === "remote" ? "the remote service" : "an upload"}, but this app does not let files leave the device.`,
    );
  if (by === "remote" && baseUrl === undefined)
    return refused(
      "remote_not_configured",
      'needs the remote service. Set the option "baseUrl" of the client to its URL.',
    );
  return undefined;
}
