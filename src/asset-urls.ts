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
  if (URL.canParse(given, base)) return new URL(given, base).href.replace(/\/?$/, "/");
  throw wrongOption(option, "a URL, and an absolute one if the page has no URL");
}
