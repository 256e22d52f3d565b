import { signal } from "@preact/signals";
import { ServiceError } from "../../src/index.ts";
import type { MessageKey, MessageValues } from "../messages/index.ts";

/** A message about an action that the browser refused, or did only in part. */
interface Notice {
  readonly message: MessageKey;
  readonly values?: MessageValues;
}

/** The message that the page shows. Undefined while there is none. */
export const notice = signal<Notice | undefined>(undefined);

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
