import type { IncomingMessage } from "node:http";

/**
 * Reads the rest of a refused upload. A sender that gets an answer before it has sent everything sees a broken
 * connection instead of the answer.
 *
 * @returns whether the upload was read to its end
 */
export async function drain(
  request: IncomingMessage,
  limitBytes: number,
  timeLimitMs: number,
): Promise<boolean> {
  if (request.readableEnded || request.destroyed) return true;
  let left = limitBytes;
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), timeLimitMs);
    const done = () => {
      clearTimeout(late);
      resolve(left >= 0);
    };
    request.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) done();
    });
    request.on("close", done);
    request.on("end", done);
    request.resume();
  });
}
