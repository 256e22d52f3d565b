import { signal } from "@preact/signals";
import { ServiceError } from "../../src/index.ts";
import type { Message, MessageKey } from "../messages/index.ts";

/** What the page says about an action that the browser refused, or did only in part. Undefined while there is nothing. */
export const notice = signal<Message | undefined>(undefined);

/** Waits for an action. If the browser or the client refuses it, for example because the disk is full, shows `message`. */
export async function attempt(action: Promise<void>, message: MessageKey): Promise<void> {
  notice.value = undefined;
  try {
    await action;
  } catch (error) {
    if (!(error instanceof DOMException || error instanceof ServiceError)) throw error;
    notice.value = { message };
  }
}
