import { wrongOption } from "../shared/failure.ts";
import type { FormatId } from "../shared/formats.ts";
import type { ApiKey } from "./secrets.ts";

/** Options for calls of the remote service. */
export interface RemoteOptions {
  /** The key of the remote service, or a function that returns it. The function is called before each request. Default: none. */
  readonly apiKey?: ApiKey | undefined;
  /**
   * The transport to the remote service. It must not follow redirects if the request does not. It may call
   * `client.fetch`, which sends the request to the network. The same is true of a request that the transport makes from
   * it before its first `await`. Default: the `fetch` of the platform.
   */
  readonly fetch?: typeof fetch | undefined;
  /**
   * `"link"`: results keep the URL of the remote service, and only the user downloads them. `"blob"`: the client
   * downloads them, and they are like results made on this device. Default: `"blob"`.
   */
  readonly remoteDownloads?: "blob" | "link" | undefined;
  /**
   * Other origins where the service may store results, such as `["https://cdn.example"]`. A `download_url` with another
   * origin fails with `remote_failed`, for both values of `remoteDownloads`. An `http:` URL from an `https:` service is
   * always refused. Default: none.
   */
  readonly downloadOrigins?: readonly string[] | undefined;
  /**
   * The largest result that the client downloads from the service, in bytes. A larger download ends with
   * `remote_failed`. Default: 1,000,000,000.
   */
  readonly maxResultBytes?: number | undefined;
  /** How many milliseconds a call of the remote service may take, with the download. Default: 120,000. */
  readonly timeout?: number | undefined;
  /**
   * Called before a file leaves the device. If it returns `false` (or a promise of it), throws or rejects, nothing is
   * sent and the call rejects with `remote_refused`. Default: always allowed.
   */
  readonly onRemote?: ((request: RemoteRequest) => unknown) | undefined;
}

/** A request that is about to go to the remote service. */
export interface RemoteRequest {
  /** The URL of the operation. */
  readonly url: string;
  readonly file: Blob;
  /** The format of the content. */
  readonly from: FormatId;
  /** The format to convert to. */
  readonly to: FormatId;
  /** The same as `to`, under the name of its form field. */
  readonly output_format: FormatId;
}

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_RESULT_LIMIT_BYTES = 1_000_000_000;
/** The longest time of a timer. With a longer one, it fires at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * Checks the options, and returns them with their defaults.
 *
 * @throws {ServiceError} `invalid_parameter`
 */
export function checkOptions({
  timeout = DEFAULT_TIMEOUT_MS,
  remoteDownloads = "blob",
  downloadOrigins = [],
  maxResultBytes = DEFAULT_RESULT_LIMIT_BYTES,
  fetch,
  onRemote,
}: RemoteOptions) {
  const isFunction = (value: unknown) => value === undefined || typeof value === "function";
  check("timeout", typeof timeout === "number" && timeout > 0, "a number of milliseconds, more than 0");
  check("remoteDownloads", ["blob", "link"].includes(remoteDownloads), '"blob" or "link"');
  check(
    "downloadOrigins",
    Array.isArray(downloadOrigins) && downloadOrigins.every(isWebOrigin),
    'a list of origins without a slash at the end, such as "https://cdn.example"',
  );
  check(
    "maxResultBytes",
    Number.isSafeInteger(maxResultBytes) && maxResultBytes > 0,
    "a whole number of bytes, at least 1",
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

/** The options of the requests themselves, with their defaults. */
export type CheckedOptions = ReturnType<typeof checkOptions>;

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
  if (!isRight) throw wrongOption(parameter, expected);
}
