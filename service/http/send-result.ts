import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { attachment } from "../../src/http/response.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import type { StoredResult } from "./stored-results.ts";

/** The most characters of a name in a URL or a header. Each takes up to 12 bytes there, and Node reads headers up to 16 KB. */
const LONGEST_NAME = 200;

/**
 * Sends a result, and closes its file.
 *
 * @throws {ServiceError} `not_found` without a result
 */
export async function sendResult(
  result: StoredResult | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (result === undefined) throw new ServiceError("not_found", "This file has expired. Convert it again.");
  const { file, type, fileName } = result;
  try {
    const { size } = await file.stat();
    response.writeHead(200, {
      "Content-Type": type,
      "Content-Length": size,
      "Content-Disposition": attachment(shortName(fileName)),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    });
    if (request.method === "HEAD") response.end();
    else await pipeline(file.createReadStream({ autoClose: false }), response);
  } finally {
    await file.close();
  }
}

/** Returns the end of a name that is too long for a URL and a header. */
export function shortName(fileName: string): string {
  return [...fileName].slice(-LONGEST_NAME).join("");
}
