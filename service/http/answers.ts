import type { IncomingMessage, ServerResponse } from "node:http";
import { ServiceError } from "../../src/shared/errors.ts";
import { isDiskFull } from "../platform/system-error.ts";

/** The `Retry-After` of a call that the service refuses for the moment. */
const RETRY_AFTER_SECONDS = 5;

/** Files of other calls go soon, and results that expire within minutes. Clients of Stayput wait this long, no longer. */
const NO_ROOM_SECONDS = 30;

/** The reason of a service that is about to stop, for {@link tryLater}. */
export const STOPPING = "The service is about to stop.";

/** Allows pages of all origins. A key is required, and cookies are ignored. */
export function allowPages(response: ServerResponse): void {
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Allow-Methods", "GET, HEAD, POST");
  response.setHeader("Access-Control-Allow-Headers", "Authorization, Content-Type, If-Range, Range");
  const exposed = "Content-Disposition, Content-Range, ETag, Retry-After, X-Request-Id";
  response.setHeader("Access-Control-Expose-Headers", exposed);
  response.setHeader("Access-Control-Max-Age", "600");
}

/** @throws {ServiceError} `method_not_allowed` */
export function allowMethods(
  { method = "" }: IncomingMessage,
  response: ServerResponse,
  allowed: readonly string[],
): void {
  if (allowed.includes(method)) return;
  response.setHeader("Allow", [...allowed, "OPTIONS"].join(", "));
  throw new ServiceError("method_not_allowed", `Use ${allowed.join(" or ")}, not ${method.slice(0, 20)}.`);
}

/**
 * Waits until the earlier requests of a connection are answered: Node hands over pipelined ones at once. Without a socket,
 * a response does not report that its caller has gone, and a download would keep its file open.
 *
 * @returns false when the connection ends before
 */
export async function isItsTurn(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  if (response.socket !== null) return true;
  return new Promise((resolve) => {
    response.once("socket", () => resolve(true));
    request.once("close", () => resolve(false));
  });
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": bytes.length });
  // Node leaves the body of an answer to HEAD out.
  response.end(bytes);
}

export function sendError(response: ServerResponse, error: ServiceError): void {
  const seconds = error.details.retry_after;
  if (seconds !== undefined) response.setHeader("Retry-After", String(seconds));
  sendJson(response, error.status, { success: false, error: error.toWire() });
}

/** Returns the error for a call that the service cannot take now. */
export function tryLater(reason: string, seconds = RETRY_AFTER_SECONDS): ServiceError {
  return new ServiceError("rate_limited", `${reason} Try again in a moment.`, { retry_after: seconds });
}

/** Returns the error that a caller gets for anything thrown. Reports failures of the service itself. */
export function errorOf(thrown: unknown, onFailure: (thrown: unknown) => void): ServiceError {
  // The client has made internal_error of what failed in a thread.
  if (!(thrown instanceof ServiceError) || thrown.code === "internal_error") onFailure(thrown);
  if (isDiskFull(thrown)) return tryLater("The service has no room for files now.", NO_ROOM_SECONDS);
  if (thrown instanceof ServiceError) return thrown;
  return new ServiceError("internal_error", "The service failed to process this file.");
}

/** Returns the path of a request, or nothing for an invalid URL, which only clients other than browsers send. */
export function pathOf({ url = "/" }: IncomingMessage): string {
  const base = "http://service";
  return URL.canParse(url, base) ? new URL(url, base).pathname : "";
}
