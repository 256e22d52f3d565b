import { ServiceError } from "../shared/errors.ts";
import type { FormatId } from "../shared/formats.ts";
import type { ApiKey } from "./secrets.ts";

/** How the remote service is called. */
export interface RemoteOptions {
  /** The remote service's key, or what gets it: a function is asked before each request. */
  readonly apiKey?: ApiKey | undefined;
  /**
   * The transport to the remote service, in the place of the platform's own. It must not follow redirects where
   * the request does not. It may go through `client.fetch`, which lets the request pass that the transport was given,
   * and one that it makes of it before it waits for anything.
   */
  readonly fetch?: typeof fetch | undefined;
  /**
   * `"link"`: results of the remote service keep its URL, and are fetched by nobody but the user. Default
   * `"blob"`: they are fetched, and are like results made on this device.
   */
  readonly remoteDownloads?: "blob" | "link" | undefined;
  /**
   * Origins beside the service's own at which the service may keep results, such as
   * `["https://cdn.example"]`. A `download_url` of any other origin fails with `remote_failed`, with either
   * value of `remoteDownloads`. Default none. An `http:` URL from an `https:` service is refused even when
   * the app names its origin.
   */
  readonly downloadOrigins?: readonly string[] | undefined;
  /**
   * The largest result that the client downloads from the service, in bytes. A larger download ends with
   * `remote_failed`. Default 1,000,000,000.
   */
  readonly maxResultBytes?: number | undefined;
  /** How many milliseconds a call of the remote service may take, download included. Default 120,000. */
  readonly timeout?: number | undefined;
  /**
   * Told before a file leaves the device. When it answers or promises `false`, throws or rejects, nothing is
   * sent, and the call rejects with `remote_refused`.
   */
  readonly onRemote?: ((request: RemoteRequest) => unknown) | undefined;
}

/** What is about to be sent to the remote service. */
export interface RemoteRequest {
  /** Where to. */
  readonly url: string;
  readonly file: Blob;
  /** What the file is, by its content. */
  readonly from: FormatId;
  /** What it is to become. */
  readonly to: FormatId;
  /** The same, under the name of its form field. */
  readonly output_format: FormatId;
}

const USUAL_TIMEOUT_MS = 120_000;
const USUAL_RESULT_LIMIT_BYTES = 1_000_000_000;
/** Timers know no longer time, and end at once when they are given one. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * The options with their defaults.
 *
 * @throws {ServiceError} `invalid_parameter`
 */
export function checkOptions({
  timeout = USUAL_TIMEOUT_MS,
  remoteDownloads = "blob",
  downloadOrigins = [],
  maxResultBytes = USUAL_RESULT_LIMIT_BYTES,
  fetch,
  onRemote,
}: RemoteOptions) {
  const isFunction = (value: unknown) => value === undefined || typeof value === "function";
  check("timeout", typeof timeout === "number" && timeout > 0, "a number of milliseconds over 0");
  check("remoteDownloads", ["blob", "link"].includes(remoteDownloads), '"blob" or "link"');
  check(
    "downloadOrigins",
    Array.isArray(downloadOrigins) && downloadOrigins.every(isWebOrigin),
    'a list of origins without a slash at the end, such as "https://cdn.example"',
  );
  check(
    "maxResultBytes",
    Number.isSafeInteger(maxResultBytes) && maxResultBytes > 0,
    "a whole number of bytes from 1",
  );
  check("fetch", isFunction(fetch), "a function");
  check("onRemote", isFunction(onRemote), "a function");
  return {
    timeout: Math.min(timeout, LONGEST_TIMEOUT_MS),
    link: remoteDownloads === "link",
    downloadOrigins,
    maxResultBytes,
  };
}

/** Returns whether a value is an http or https origin and nothing else, in the form of `URL.origin`. */
function isWebOrigin(value: unknown): boolean {
  return (
    typeof value === "string" &&
    /^https?:/.test(value) &&
    URL.canParse(value) &&
    new URL(value).origin === value
  );
}

function check(parameter: string, isRight: boolean, expected: string): void {
  if (isRight) return;
  throw new ServiceError("invalid_parameter", `The option "${parameter}" must be ${expected}.`, {
    parameter,
  });
}
