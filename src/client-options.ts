import type { RemoteSettings } from "./conversions.ts";
import { wrongOption } from "./shared/failure.ts";

/** Returns the base of relative URLs. A worker that was started from a Blob knows only the origin of its page. */
export function baseUrl(): string | undefined {
  return globalThis.document?.baseURI ?? globalThis.location?.href.replace("blob:", "");
}

/**
 * Returns the URL of a folder of the app: absolute, because a single-page app may change the URL of the page later, and
 * with a slash at its end. Returns undefined where there is no base, as in Node.
 *
 * @throws {ServiceError} `invalid_parameter`
 */
export function folderUrl(option: string, given: string | URL | undefined): string | undefined {
  const base = baseUrl();
  if (given === undefined || base === undefined) return undefined;
  const url = URL.canParse(given, base) ? new URL(given, base) : undefined;
  if (url && url.search + url.hash === "") return url.href.replace(/\/?$/, "/");
  throw wrongOption(option, "a URL without query and fragment, and an absolute one if the page has no URL");
}

/**
 * Checks the number of workers.
 *
 * @throws {ServiceError} `invalid_parameter`
 */
export function workerLimit(given: number | undefined): number | undefined {
  if (given === undefined || (Number.isInteger(given) && given > 0)) return given;
  throw wrongOption("maxWorkers", "a whole number of at least 1");
}

/**
 * Checks where files may go, and returns the base URL without a slash at its end.
 *
 * @throws {ServiceError} `invalid_parameter`
 */
export function remoteSettings({
  baseUrl,
  remote = "office",
}: {
  readonly baseUrl?: string | undefined;
  readonly remote?: string | undefined;
}): RemoteSettings {
  if (remote !== "office" && remote !== "never") throw wrongOption("remote", '"office" or "never"');
  if (baseUrl === undefined) return { baseUrl, remote };
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isPlain = url && url.username + url.password + url.search + url.hash === "";
  if (isPlain && /^https?:$/.test(url.protocol)) return { baseUrl: url.href.replace(/\/+$/, ""), remote };
  throw wrongOption("baseUrl", "an http or https URL without user, query and fragment");
}

/**
 * Checks the origins that may get files, and returns them in the form of `URL.origin`.
 *
 * @throws {ServiceError} `invalid_parameter`
 */
export function uploadOrigins(given: readonly (string | URL)[] | undefined = []): readonly string[] {
  const listed = Array.isArray(given) ? given.map(webOrigin) : [undefined];
  const origins = listed.filter((origin) => origin !== undefined);
  if (origins.length === listed.length) return origins;
  throw wrongOption(
    "allowUploads",
    'a list of http or https origins without a path, such as ["https://files.example"]',
  );
}

/** Returns the origin of an http or https URL that has nothing else. */
function webOrigin(given: unknown): string | undefined {
  if (!(typeof given === "string" || given instanceof URL) || !URL.canParse(given)) return undefined;
  const { href, origin, protocol } = new URL(given);
  return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined;
}
