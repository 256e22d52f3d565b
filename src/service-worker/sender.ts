import { servicePath } from "../service/path.ts";
import { carriesFormToken } from "./form-token.ts";

/** Where a request comes from: this origin, another one, or a page that sends no referrer. */
export type Sender = "app" | "other site" | "unknown";

/**
 * Returns where a request to the service worker comes from, without reading its body.
 *
 * A request that is not a navigation comes from a page or worker of this origin. A navigation may come from any site;
 * its referrer is set by the browser (Service Workers, "Handle Fetch"; Referrer Policy, 8.3).
 *
 * @param base the base that the app has given to the service, if any
 */
export function senderOf({ mode, referrer }: Request, base: string | undefined): Sender {
  if (mode !== "navigate") return "app";
  // Firefox can be set to send the address of the request itself as its referrer (network.http.referer.spoofSource).
  // No page with a form is at such an address.
  if (!/^https?:/.test(referrer) || servicePath(referrer, base) !== undefined) return "unknown";
  return new URL(referrer).origin === globalThis.location.origin ? "app" : "other site";
}

/** Returns whether a request may have work done: it comes from this origin, or carries the token of a page of it. */
export async function mayCall(request: Request, base: string | undefined): Promise<boolean> {
  const sender = senderOf(request, base);
  return sender === "app" || (sender === "unknown" && carriesFormToken(request.url));
}
