/** The resolvers of the calls that wait, one for each message that has not arrived. */
const waiting: (() => void)[] = [];
/** One channel for all calls. A channel for each call would have to be closed. */
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
