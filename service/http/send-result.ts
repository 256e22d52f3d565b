import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { attachment } from "../../src/http/response.ts";
import { byteRange } from "../../src/service-worker/byte-range.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import type { StoredResult } from "./stored-results.ts";

/** The most characters of a name in a URL or a header. Each takes up to 12 bytes there, and Node reads headers up to 16 KB. */
const LONGEST_NAME = 200;

/**
 * Sends a result, or the rest of one whose download broke off. Closes its file. Ends the connection when the caller reads
 * nothing for some time.
 *
 * @param id of the result, which is its tag: a result never changes
 * @param stalledMs how long the caller may read nothing, in milliseconds
 * @throws {ServiceError} `not_found` without a result
 */
export async function sendResult(
  id: string,
  result: StoredResult | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  stalledMs: number,
): Promise<void> {
  if (result === undefined) throw new ServiceError("not_found", "This file has expired. Convert it again.");
  const { file, type, fileName } = result;
  try {
    const { size } = await file.stat();
    const tag = `"${id}"`;
    const range = wantedRange(request, tag, size);
    if (range === "unsatisfiable") {
      response.writeHead(416, { "Content-Range": `bytes */${size}`, "Content-Length": 0 }).end();
      return;
    }
    const { first, last } = range ?? { first: 0, last: size - 1 };
    response.writeHead(range === undefined ? 200 : 206, {
      "Content-Type": type,
      "Content-Length": last - first + 1,
      ...(range !== undefined && { "Content-Range": `bytes ${first}-${last}/${size}` }),
      "Accept-Ranges": "bytes",
      ETag: tag,
      "Content-Disposition": attachment(shortName(fileName)),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    });
    // Node counts from the last write that the system took, and ends the connection.
    response.setTimeout(stalledMs);
    if (request.method === "HEAD" || size === 0) response.end();
    else await pipeline(file.createReadStream({ autoClose: false, start: first, end: last }), response);
  } finally {
    await file.close();
  }
}

/** Returns the end of a name that is too long for a URL and a header. */
export function shortName(fileName: string): string {
  return [...fileName].slice(-LONGEST_NAME).join("");
}

/** Returns the bytes that a download asks for: undefined for all of them. */
function wantedRange({ method, headers }: IncomingMessage, tag: string, size: number) {
  const isSame = headers["if-range"] === undefined || headers["if-range"] === tag;
  return method === "GET" && isSame ? byteRange(headers.range ?? null, size) : undefined;
}
