import { computed } from "@preact/signals";
import type { MessageKey, MessageValues } from "../messages/index.ts";
import { problems } from "./checks.ts";
import { currentResults, pendingFiles } from "./results.ts";
import { isWorkShown } from "./shown-result.ts";
import { task } from "./task.ts";

/** What the button at the bottom does now. A blocked one says why. */
export type Action =
  | { readonly kind: "ready" | "running" | "done" }
  | { readonly kind: "blocked"; readonly reason: Reason };

/** Why nothing can be started, as a message for the user. */
interface Reason {
  readonly message: MessageKey;
  readonly values?: MessageValues;
}

/** What the button does. Undefined without a task. */
export const action = computed<Action | undefined>(() => {
  if (isWorkShown.value) return { kind: "running" };
  if (task.value === undefined) return undefined;
  const isPending = pendingFiles.value.length > 0;
  if (!isPending && currentResults.value.length > 0) return { kind: "done" };
  const [problem] = problems.value;
  if (problem !== undefined) return { kind: "blocked", reason: problem };
  return isPending ? { kind: "ready" } : { kind: "blocked", reason: { message: "action.noPages" } };
});
