import type { FormatId } from "../shared/formats.ts";
import { functionOption, type OptionValues, option, type ReadersOf } from "../shared/options.ts";

/** The key of the service, or a function that returns it. */
export type ApiKey = string | (() => string | Promise<string>);

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

const timeout = option<number>(
  "a number of milliseconds, more than 0",
  (given) => typeof given === "number" && given > 0,
);
const maxResultBytes = option<number>(
  "a whole number of bytes, at least 1",
  (given) => Number.isSafeInteger(given) && Number(given) > 0,
);
const originList = option<readonly string[]>(
  'a list of origins without a slash at the end, such as "https://cdn.example"',
  (given) => Array.isArray(given) && given.every((each) => webOrigin(each) === each),
);

/** Reads {@link RemoteOptions}, with their defaults. */
export const REMOTE_OPTIONS = {
  apiKey: option<ApiKey>(
    "a text of visible ASCII characters, or a function that returns one",
    (given) => typeof given === "function" || given === "" || isKey(given),
  ),
  fetch: functionOption<typeof fetch>(),
  remoteDownloads: option<"blob" | "link">(
    '"blob" or "link"',
    (given) => given === "blob" || given === "link",
  ),
  // Copied: the app may change its list later.
  downloadOrigins: (given, name) => [...(originList(given, name) ?? [])],
  maxResultBytes: (given, name) => maxResultBytes(given, name) ?? DEFAULT_RESULT_LIMIT_BYTES,
  timeout: (given, name) => Math.min(timeout(given, name) ?? DEFAULT_TIMEOUT_MS, LONGEST_TIMEOUT_MS),
  onRemote: functionOption<NonNullable<RemoteOptions["onRemote"]>>(),
} satisfies ReadersOf<RemoteOptions>;

/** The options for calls of the remote service, checked, with their defaults. */
export type CheckedOptions = OptionValues<typeof REMOTE_OPTIONS>;

/** Returns whether a value can be a key of the service: visible ASCII characters. */
export function isKey(value: unknown): value is string {
  return typeof value === "string" && /^[\x21-\x7e]+$/.test(value);
}

/** Returns the origin of an http or https URL that has nothing else, in the form of `URL.origin`. */
export function webOrigin(given: unknown): string | undefined {
  if (!(typeof given === "string" || given instanceof URL) || !URL.canParse(given)) return undefined;
  const { href, origin, protocol } = new URL(given);
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined;
}
