import type { DeliveryMessage, WorkerMessage } from "../src/shared/protocol.ts";

/** Sends a message to the page. Resolves with the answer: whether the caller wants more deliveries. */
export type SendMessage = (message: WorkerMessage) => Promise<boolean>;

/**
 * Returns how a job sends messages to the page over its port, and deliveries by `post`. The page answers the messages, and the
 * deliveries, in their order.
 */
export function pageMessages(page: MessagePort, post: (delivery: DeliveryMessage) => void): SendMessage {
  const heard: ((wantsMore: boolean) => void)[] = [];
  const taken: ((wantsMore: boolean) => void)[] = [];
  page.onmessage = ({ data }) => (data === null ? heard : taken).shift()?.(data === true);
  return (message) =>
    new Promise((resolve) => {
      if ("delivered" in message) {
        taken.push(resolve);
        post({ stayputDelivery: message.delivered });
      } else {
        heard.push(resolve);
        page.postMessage(message);
      }
    });
}
