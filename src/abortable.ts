/**
 * Settles with `work`, or rejects with the reason of the first signal that aborts. The work itself goes on.
 *
 * @param discard gets a result that comes after an abort
 */
export function abortable<T>(
  work: Promise<T>,
  signals: readonly (AbortSignal | undefined)[],
  discard?: (late: T) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const settled = new AbortController();
    let accept: (value: T) => void = resolve;
    for (const signal of signals) {
      const abort = () => {
        reject(signal?.reason);
        if (discard !== undefined) accept = discard;
      };
      signal?.addEventListener("abort", abort, { signal: settled.signal });
    }
    work.then((value) => accept(value), reject).finally(() => settled.abort());
  });
}
