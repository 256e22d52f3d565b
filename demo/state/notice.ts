import { signal } from "@preact/signals";
import type { MessageKey } from "../messages/index.ts";

/** What the page says because something outside the files went wrong. */
export const notice = signal<MessageKey | undefined>(undefined);

/** Runs an action of the user. A refusal of the browser, such as a full disk, becomes a notice. */
export async function attempt(action: Promise<void>, message: MessageKey): Promise<void> {
  notice.value = undefined;
  try {
    await action;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    notice.value = message;
  }
}
