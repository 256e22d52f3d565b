/**
 * What some work comes to, or the reason of the first of the signals that is aborted meanwhile: some work does not hear
 * them. It goes on then, to no effect.
 *
 * @param drop does away with what comes too late
 */
export function abortable<T>(
  work: Promise<T>,
  signals: readonly (AbortSignal | undefined)[],
  drop?: (late: T) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = new AbortController();
    let take: (value: T) => void = resolve;
    for (const signal of signals) {
      const abort = () => {
        reject(signal?.reason);
        if (drop !== undefined) take = drop;
      };
      signal?.addEventListener("abort", abort, { signal: ended.signal });
    }
    work.then((value) => take(value), reject).finally(() => ended.abort());
  });
}
