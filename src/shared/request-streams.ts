/**
 * Returns whether the platform takes a stream as the body of a request. A platform without support converts the stream to
 * text and never reads `duplex`.
 */
export function supportsStreams(): boolean {
  let readsDuplex = false;
  const init = {
    method: "POST",
    body: new ReadableStream(),
    get duplex() {
      readsDuplex = true;
      return "half";
    },
  };
  try {
    return !new Request("https://empty.invalid", init).headers.has("Content-Type") && readsDuplex;
  } catch (thrown) {
    if (thrown instanceof TypeError) return false;
    throw thrown;
  }
}
