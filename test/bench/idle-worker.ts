/**
 * A worker that does nothing with a file but what every worker has to: reads it, and makes a Blob of as many bytes as the
 * result has. What that takes is the browser's own, and nobody's work in it is faster.
 */
addEventListener("message", async ({ data }: MessageEvent<{ file: Blob; outputBytes: number }>) => {
  const bytes = new Uint8Array(await data.file.arrayBuffer());
  const output = new Uint8Array(data.outputBytes);
  output.set(bytes.subarray(0, data.outputBytes));
  postMessage(new Blob([output]));
});
