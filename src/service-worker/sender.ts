import { servicePath } from "../http/path.ts";
import { carriesFormToken } from "./form-token.ts";

/** The sender of a request: this origin, another origin, or unknown because the page sends no referrer. */
export type Sender = "app" | "other site" | "unknown";

/**
 * Returns the sender of a request to the service worker, without reading the body.
 *
 * A request that is not a navigation comes from a page or worker of this origin. A navigation may come from
 * any site; the browser sets its referrer (Service Workers, "Handle Fetch"; Referrer Policy, 8.3).
 *
 * @param base the base URL that the app gives to the service, if any
 */
export function senderOf({ mode, referrer }: Request, base: string | undefined): Sender {
  if (mode !== "navigate") return "app";
  // With network.http.referer.spoofSource, Firefox sends the request's own URL as the referrer. No page with
  // a form has such a URL.
  if (!/^https?:/.test(referrer) || servicePath(referrer, base) !== undefined) return "unknown";
  return new URL(referrer).origin === globalThis.location.origin ? "app" : "other site";
}

/**
 * Returns whether the service worker may act on a request: the request comes from this origin or carries the
 * token of an open page of this origin.
 */
export async function mayCall(request: Request, base: string | undefined): Promise<boolean> {
  const sender = senderOf(request, base);
  return sender === "app" || (sender === "unknown" && carriesFormToken(request.url));
}
