/**
 * How many milliseconds the browser itself takes for a file: a worker reads it, does nothing, and answers with a Blob of
 * so many bytes.
 *
 * @param worker runs idle-worker.ts, and does nothing else meanwhile
 */
export async function idleMilliseconds(worker: Worker, file: File, outputBytes: number): Promise<number> {
  const start = performance.now();
  const made = await new Promise<Blob>((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage({ file, outputBytes });
  });
  const stored = made.slice(-1).arrayBuffer();
  URL.revokeObjectURL(URL.createObjectURL(made));
  await stored;
  return performance.now() - start;
}
