/** Those who wait, one for each message on its way. */
const waiting: (() => void)[] = [];
/** One pair of ports for all of a worker's turns: who has made one has to close it, and a picture has many. */
let channel: MessageChannel | undefined;

/** Lets the messages that have come in be heard, between two tasks: timers are much slower. */
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
