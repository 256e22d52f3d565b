import type { WorkerMessage } from "../src/shared/protocol.ts";

/** Sends a message to the page. Resolves with the answer: whether the caller wants more deliveries. */
export type SendMessage = (message: WorkerMessage) => Promise<boolean>;

/** Returns how a job sends messages to the page over its port. The page answers in the same order. */
export function pageMessages(page: MessagePort): SendMessage {
  const waiting: ((wantsMore: boolean) => void)[] = [];
  page.onmessage = ({ data }) => waiting.shift()?.(data === true);
  return (message) =>
    new Promise((resolve) => {
      waiting.push(resolve);
      page.postMessage(message);
    });
}
