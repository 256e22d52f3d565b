/** The callers that wait, one for each message on its way. */
const waiting: (() => void)[] = [];
/** One channel for all calls: a channel for each call would have to be closed, and a picture has many. */
let channel: MessageChannel | undefined;

/** Lets the event loop handle the messages that have arrived. A timer would take much longer. */
export function yieldToEventLoop(): Promise<void> {
  channel ??= newChannel();
  const { port2 } = channel;
  return new Promise((resolve) => {
    waiting.push(resolve);
    port2.postMessage(null);
  });
}

function newChannel(): MessageChannel {
  const made = new MessageChannel();
  made.port1.onmessage = () => waiting.shift()?.();
  return made;
}
