import type { ServiceResult } from "../downloads.ts";
import { ServiceError } from "../shared/errors.ts";
import { operationAt } from "./path.ts";
import { type FormEntries, readCall, type ServiceCall } from "./request.ts";

/** The methods of the paths of operations. */
export const OPERATION_METHODS = "POST, OPTIONS";

/**
 * Answers a request like the service. A {@link ServiceError} becomes a response. Other errors are thrown.
 *
 * @param path the path under the base of the service
 * @param perform runs the call
 * @param form the entries of the form. Default: those in the body of the request
 */
export async function respond(
  request: Request,
  path: string,
  perform: (call: ServiceCall) => Promise<ServiceResult>,
  form?: FormEntries,
): Promise<Response> {
  if (request.method === "OPTIONS" && operationAt(path) !== undefined) {
    return new Response(null, { status: 204, headers: { allow: OPERATION_METHODS } });
  }
  try {
    return json(await perform(await readCall(request, path, form)), 200);
  } catch (error) {
    if (error instanceof ServiceError) return failed(error, request.method, OPERATION_METHODS);
    throw error;
  }
}

/**
 * Returns the answer of the service to a request that failed.
 *
 * @param method the method of the request
 * @param allow the methods that its path allows
 */
export function failed(error: ServiceError, method: string, allow: string): Response {
  const body = { success: false, error: error.toWire() };
  const response = json(body, error.status, error.code === "method_not_allowed" ? { allow } : {});
  return method === "HEAD" ? new Response(null, response) : response;
}

/** Returns the `Content-Disposition` that saves a file under its name, with any characters (RFC 6266, RFC 8187). */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const exact = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

function json(value: object, status: number, headers: Readonly<Record<string, string>> = {}): Response {
  const body = new TextEncoder().encode(JSON.stringify(value));
  return new Response(body, {
    status,
    headers: { "content-type": "application/json", "content-length": String(body.length), ...headers },
  });
}
