/** Settles with the work, or rejects after the time limit. Does not stop the work. */
export function withinTime<Value>(work: Promise<Value>, limitMs: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const clock = setTimeout(() => reject(new Error(`no answer in ${limitMs / 1000} s`)), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(clock));
  });
}
