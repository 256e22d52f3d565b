/** What the work gives, or a rejection when it takes longer; nothing stops the work itself. */
export function withinTime<Value>(work: Promise<Value>, limitMs: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const clock = setTimeout(() => reject(new Error(`no answer in ${limitMs / 1000} s`)), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(clock));
  });
}
