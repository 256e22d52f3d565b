import { median } from "../contest.ts";

/** A client that has worked for so long is warm: calls get no faster after it, since the browser has compiled all. */
const WARM_AFTER_MS = 1000;
/** Short calls are made for so long once it is warm. */
const MEASURED_MS = 300;

/**
 * Times the calls of a new client.
 *
 * @param call makes one call and returns its milliseconds
 * @returns the first call, and the median of the calls of a warm client
 */
export async function measureCalls(
  call: () => Promise<number>,
): Promise<{ readonly milliseconds: number; readonly coldMilliseconds: number }> {
  const coldMilliseconds = await call();
  for (let worked = coldMilliseconds; worked < WARM_AFTER_MS; ) worked += await call();
  const calls: number[] = [];
  for (let worked = 0; worked < MEASURED_MS; worked += calls.at(-1) ?? 0) calls.push(await call());
  return { milliseconds: median(calls), coldMilliseconds };
}
