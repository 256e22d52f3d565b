import type { ConversionSettings } from "./choose-converter.ts";
import { converters } from "./converter/options.ts";
import { REMOTE_OPTIONS, webOrigin } from "./remote/options.ts";
import { wrongOption } from "./shared/failure.ts";
import { functionOption, type OptionReader, option } from "./shared/options.ts";

/** Returns the base of relative URLs. A worker that was started from a Blob knows only the origin of its page. */
export function baseUrl(): string | undefined {
  return globalThis.document?.baseURI ?? globalThis.location?.href.replace("blob:", "");
}

/**
 * Reads the URL of a folder of the app: absolute, because a single-page app may change the URL of the page later, and with
 * a slash at its end. Returns undefined for a relative URL where there is no base, as in Node.
 *
 * @throws {ServiceError} `invalid_parameter`
 */
const folderUrl: OptionReader<string | undefined> = (given, name) => {
  const base = baseUrl();
  const expected = "a URL without query and fragment, and an absolute one if the page has no URL";
  if (given === undefined) return undefined;
  // A URL may be of another realm.
  const isUrl = typeof given === "string" || Object.prototype.toString.call(given) === "[object URL]";
  if (!isUrl) throw wrongOption(name, expected);
  const url = URL.canParse(`${given}`, base) ? new URL(`${given}`, base) : undefined;
  if (url === undefined && base === undefined) return undefined;
  if (url && url.search + url.hash === "") return url.href.replace(/\/?$/, "/");
  throw wrongOption(name, expected);
};

/** Reads the URL of the remote service, and returns it without a slash at its end. */
const serviceUrl: OptionReader<string | undefined> = (given, name) => {
  if (given === undefined) return undefined;
  const text = String(given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url && url.username + url.password + url.search + url.hash === "";
  if (isPlain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, "");
  throw wrongOption(name, "an http or https URL without user, query and fragment");
};

/** Returns whether a value is a URL of the worker: a text that can be resolved, or an object that stands for one. */
function isScriptUrl(given: unknown): boolean {
  if (typeof given === "string")
    return given !== "" && URL.canParse(given, baseUrl() ?? "https://page.invalid");
  return typeof given === "object" && given !== null && "toJSON" in given;
}

/** Reads the origins that may get files, and returns them in the form of `URL.origin`. */
const uploadOrigins: OptionReader<readonly string[]> = (given = [], name) => {
  const listed = Array.isArray(given) ? given.map(webOrigin) : [undefined];
  const origins = listed.filter((origin) => origin !== undefined);
  if (origins.length === listed.length) return origins;
  throw wrongOption(
    name,
    'a list of http or https origins without a path, such as ["https://files.example"]',
  );
};

const remote = option<ConversionSettings["remote"]>(
  '"office" or "never"',
  (given) => given === "office" || given === "never",
);

/**
 * Checks the options beside `sealed`, which needs files that the app serves, and starts workers itself.
 *
 * @throws {ServiceError} `invalid_parameter`
 */
export function checkSealed(options: SealOptions): void {
  if (!options.sealed) return;
  if (options.assetUrl === undefined)
    throw wrongOption("assetUrl", 'the URL of a folder with the files of Stayput when "sealed" is true');
  for (const name of ["createWorker", "workerUrl"] as const)
    if (options[name] !== undefined) throw wrongOption(name, 'absent when "sealed" is true');
}

/** The options that {@link checkSealed} compares. */
interface SealOptions {
  readonly sealed?: unknown;
  readonly assetUrl?: unknown;
  readonly createWorker?: unknown;
  readonly workerUrl?: unknown;
}

/** Reads the options of a client, with their defaults. `createClient` compares the names with its interface. */
export const CLIENT_OPTIONS = {
  ...REMOTE_OPTIONS,
  baseUrl: serviceUrl,
  remote: (given, name) => remote(given, name) ?? "office",
  allowUploads: uploadOrigins,
  converters,
  maxWorkers: option<number>(
    "a whole number of at least 1",
    (given) => Number.isInteger(given) && Number(given) > 0,
  ),
  assetUrl: folderUrl,
  workerUrl: option<string | URL>("a URL, or a TrustedScriptURL", isScriptUrl),
  fontUrl: folderUrl,
  createWorker: functionOption<() => Worker>(),
  sealed: option<boolean>("true or false", (given) => typeof given === "boolean"),
} satisfies Readonly<Record<string, OptionReader<unknown>>>;
