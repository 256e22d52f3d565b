/**
 * A worker that does only what every worker must do with a file: it reads the file and makes a Blob of the result's
 * size. Its time is the lower bound of all work in this browser.
 */
addEventListener("message", async ({ data }: MessageEvent<{ file: Blob; outputBytes: number }>) => {
  const bytes = new Uint8Array(await data.file.arrayBuffer());
  const output = new Uint8Array(data.outputBytes);
  output.set(bytes.subarray(0, data.outputBytes));
  postMessage(new Blob([output]));
});
