import { OPERATIONS } from "../operations.ts";

/**
 * A header of requests that are for the remote service itself, though it has this page's origin: the app's service
 * worker would hand them to a page, whose client sent them.
 */
export const PAST_SERVICE_WORKER = "stayput-remote";

/**
 * The path of a URL under the service's base, when it is for the service: any under `/api/` of a base that is given,
 * else only the operations' own under the origin of this page or worker.
 */
export function servicePath(url: string, baseUrl: string | undefined): string | undefined {
  const base = baseUrl ?? globalThis.location?.origin;
  const [place = ""] = url.split(/[?#]/, 1);
  if (!place.startsWith(`${base}/`)) return undefined;
  // An app may write the slash twice, at the base's end and before the path: its file must not leave for that.
  const path = place.slice(base?.length).replace(/^\/+/, "/");
  if (!path.startsWith("/api/")) return undefined;
  return baseUrl !== undefined || operationAt(path) !== undefined ? path : undefined;
}

/** The operation that answers at a path under the service's base. */
export function operationAt(path: string): keyof typeof OPERATIONS | undefined {
  const names = Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[];
  return names.find((name) => OPERATIONS[name].path === path);
}
