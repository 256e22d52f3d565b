import { ServiceError } from "./errors.ts";
import { cancelBody, internalError, isPlatformError, NOT_LOADED, withCause } from "./failure.ts";
import { VERSION } from "./version.ts";

const GUIDE = "https://github.com/stayput/stayput/blob/main/docs/recipes/bundlers.md";

const LONGEST_WAIT_MS = 5_000;

/** A script or a WebAssembly file that could not be loaded. */
export interface MissingPart {
  /** The part, as the subject of a sentence. */
  readonly part: string;
  /** The URL that was tried, if it is known. */
  readonly url?: string | undefined;
  /** The message of the browser. */
  readonly reason?: string | undefined;
  /** The directive of the Content-Security-Policy that must allow it. Default: `script-src`. */
  readonly directive?: string | undefined;
  /** Whether a Blob on this origin imports it from another origin. */
  readonly throughBlob?: boolean | undefined;
}

/**
 * Returns the error for a part that could not be loaded: `offline` if the device is offline, otherwise `internal_error`.
 * `details.cause` tells the developer what to do. Requests the URL again to find out why: browsers do not tell scripts.
 */
export async function notLoaded(missing: MissingPart): Promise<ServiceError> {
  const { part, url, reason } = missing;
  const place = url === undefined ? "" : ` from ${url}`;
  const said = reason ? ` (${reason})` : "";
  const isOffline = globalThis.navigator?.onLine === false;
  const failure = `${part} could not be loaded${place}${said}.`;
  if (isOffline)
    return new ServiceError("offline", "The device is offline. Connect and try again.", withCause(failure));
  const advice = await adviceFor(missing);
  const cause = `${failure} ${advice} See ${GUIDE}#when-a-part-cannot-be-loaded`;
  return internalError(NOT_LOADED, cause, url === undefined ? {} : { url });
}

/** Returns the error for two parts of different versions. */
export function mixedVersions(part: string, version: string): ServiceError {
  return internalError(
    "This app is not up to date. Reload or restart it.",
    `${part} is of version ${version} of Stayput, but this page uses version ${VERSION}. ` +
      `Copy the files of this version (npx stayput copy) and reload the page. See ${GUIDE}#copied-files`,
    { version, expected: VERSION },
  );
}

async function adviceFor({ url, directive = "script-src", throughBlob }: MissingPart): Promise<string> {
  if (url === undefined) return `Check that the file is served and that the policy of the page allows it.`;
  const { origin } = new URL(url);
  const policy = throughBlob
    ? `Check that the Content-Security-Policy of the page allows "blob:" and ${origin} in worker-src, and ${origin} in script-src and connect-src, or serve the files from the page's own origin.`
    : `Check that the Content-Security-Policy of the page allows it (${directive}).`;
  try {
    const { ok, status, headers, body } = await fetch(url, { signal: AbortSignal.timeout(LONGEST_WAIT_MS) });
    cancelBody(body);
    const type = headers.get("Content-Type") ?? "";
    const copy = 'Copy the files there (npx stayput copy), or set the option "assetUrl".';
    if (!ok) return `The server answers with status ${status}. ${copy}`;
    if (/html/.test(type)) return `The server answers with an HTML page. ${copy}`;
    if (!/javascript/.test(type) && !url.endsWith(".wasm"))
      return `The server sends it as "${type}": send text/javascript.`;
    return `The file is there. ${policy}`;
  } catch (thrown) {
    if (!isPlatformError(thrown)) throw thrown;
    return origin === globalThis.origin
      ? `It cannot be requested. ${policy}`
      : `It is on another origin, and cannot be requested: that server must allow this page (CORS). ${policy}`;
  }
}
