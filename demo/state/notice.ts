import { signal } from "@preact/signals";
import type { MessageKey } from "../messages/index.ts";

/** The message about an action that the browser refused. Undefined while there is none. */
export const notice = signal<MessageKey | undefined>(undefined);

/** Waits for an action. If the browser refuses it, for example because the disk is full, shows `message`. */
export async function attempt(action: Promise<void>, message: MessageKey): Promise<void> {
  notice.value = undefined;
  try {
    await action;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    notice.value = message;
  }
}
