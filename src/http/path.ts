/** The path of each operation, under the base URL of the service. */
export const OPERATION_PATHS = {
  convert: "/api/convert",
  protectPdf: "/api/protect-pdf",
  unlockPdf: "/api/unlock-pdf",
  splitPdf: "/api/split-pdf",
  mergePdf: "/api/merge-pdf",
  compressPdf: "/api/compress-pdf",
  cleanPdf: "/api/clean-pdf",
} as const;

/** The name of an operation, which is the name of its method. */
export type OperationName = keyof typeof OPERATION_PATHS;

/** The names of all operations. */
export const OPERATION_NAMES = Object.keys(OPERATION_PATHS) as OperationName[];

/** Makes a value for each operation, under its name. */
export function ofEachOperation<Value>(
  make: (name: OperationName) => Value,
): Readonly<Record<OperationName, Value>> {
  const entries = OPERATION_NAMES.map((name) => [name, make(name)]);
  return Object.fromEntries(entries) as Record<OperationName, Value>;
}

/**
 * The mark of requests that a client sends to the remote service. The service worker sends them to the network; otherwise
 * it would send them back to the page. Under the origin of the page, it is a header. Elsewhere, it is the fragment of the
 * URL, which the service worker sees and the network does not: a header would cause a preflight.
 */
export const PAST_SERVICE_WORKER = "stayput-remote";

/**
 * Returns the path of a URL under the service's base, when the URL is for the service: any path under `/api/`
 * when the app gives a base, else only the operations' own paths under the origin of this page or worker.
 * Also returns a path that a lenient server could take for one of these. No operation answers there, but the
 * request may carry a file that must not leave the device.
 */
export function servicePath(url: string, baseUrl: string | undefined): string | undefined {
  const base = `${baseUrl ?? globalThis.location?.origin}`;
  // Before the rest, because a data URL may be megabytes long.
  if (url.startsWith("data:")) return undefined;
  const [place = ""] = url.split(/[?#]/, 1);
  const [root, lenient] = [lenientUrl(base), lenientUrl(place)];
  if (!lenient.startsWith(root)) return undefined;
  const path = lenient.slice(root.length);
  const isTaken = baseUrl === undefined ? operationAt(path) : `${path}/`.startsWith("/api/");
  if (!isTaken) return undefined;
  // The app may write the slash twice: at the end of the base and before the path.
  return place.startsWith(`${base}/`) ? place.slice(base.length).replace(/^\/+/, "/") : place;
}

/**
 * Returns the base of a service that the app has not named: of a URL `…/api/<operation>` of another origin than this page,
 * also in a spelling that a lenient server could take for it.
 *
 * @param url an absolute URL
 */
export function serviceElsewhere(url: string): string | undefined {
  if (!/^https?:/i.test(url)) return undefined;
  const { origin } = new URL(url);
  if (origin === globalThis.location?.origin) return undefined;
  const [place = ""] = url.split(/[?#]/, 1);
  const lenient = lenientUrl(place);
  const path = Object.values(OPERATION_PATHS).find((one) => lenient.endsWith(one));
  if (path === undefined) return undefined;
  return place.endsWith(path) ? place.slice(0, -path.length).replace(/\/+$/, "") : origin;
}

/**
 * Returns a URL as a lenient server reads it: in lower case, without percent encoding and path parameters,
 * with single slashes and no slash at the end.
 */
function lenientUrl(url: string): string {
  return url
    .replace(/%([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .toLowerCase()
    .replace(/;[^/\\]*/g, "")
    .replace(/[/\\]+/g, "/")
    .replace(/\/$/, "");
}

/** Returns the operation at a path under the base of the service. */
export function operationAt(path: string): OperationName | undefined {
  return OPERATION_NAMES.find((name) => OPERATION_PATHS[name] === path);
}
