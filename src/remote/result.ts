import { outputType } from "../output-type.ts";
import { ServiceError } from "../shared/errors.ts";
import { cancelBody } from "../shared/failure.ts";
import type { FormatId } from "../shared/formats.ts";
import { counting } from "./upload.ts";

/**
 * Reads the result and checks its type, because a service may send an error page instead.
 *
 * @param limit the largest result, in bytes; a larger download is canceled
 * @param arrived called with the number of bytes so far and the total number (0 when unknown)
 * @throws {ServiceError} `remote_failed`
 */
export async function readResult(
  { body, headers, status }: Response,
  to: FormatId,
  limit: number,
  arrived: (bytes: number, total: number) => void,
): Promise<Blob> {
  // For a compressed answer, this is the compressed length. The decoded body is longer.
  const length = Number(headers.get("Content-Length")) || 0;
  if (length > limit) {
    cancelBody(body);
    throw tooLarge(limit, length, status);
  }
  let excess: ServiceError | undefined;
  const onBytes = (bytes: number) => {
    if (bytes > limit) {
      excess = tooLarge(limit, bytes, status);
      // The error fails the stream, and the failed stream ends the download.
      throw excess;
    }
    arrived(bytes, bytes > length ? 0 : length);
  };
  onBytes(0);
  const file = await new Response(body?.pipeThrough(counting(onBytes)) ?? null).blob().catch(() => {
    // Any error of the body. Some platforms reject with another one than that which failed the stream.
    if (excess !== undefined) throw excess;
    throw new ServiceError("remote_failed", "The result of the remote service is incomplete. Try again.", {
      status,
    });
  });
  const type = await outputType(file, to);
  if (type !== undefined) return file.slice(0, file.size, type);
  throw new ServiceError(
    "remote_failed",
    `The result of the remote service is not a ${to.toUpperCase()} file.`,
    { status },
  );
}

function tooLarge(limit: number, size: number, status: number): ServiceError {
  return new ServiceError(
    "remote_failed",
    `The result of the remote service has at least ${size} bytes, and this page downloads at most ${limit}. Try a smaller file.`,
    { status, size, largest_size: limit },
  );
}
