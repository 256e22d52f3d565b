import { abortable } from "./abortable.ts";
import type { CallOptions } from "./call-options.ts";
import type { ClientResult, Downloads } from "./downloads.ts";
import { type Report, throttledReport } from "./shared/throttled-report.ts";

/** The parts of a client that a call on the page uses. */
export interface PageCaller {
  readonly downloads: Downloads;
  /** Aborted when the client is closed. */
  readonly closing: AbortSignal;
}

/** What the work of a call gets. */
export interface PageWork {
  /** Aborted when the call ends, for whatever reason. */
  readonly signal: AbortSignal;
  readonly report: Report;
  /** Ends the call with an error. */
  end(reason: unknown): void;
  /** Throws the reason why the call has ended, if it has. */
  throwIfEnded(): void;
}

/**
 * Runs a call whose work is done on the page or by another server, not by a worker. It ends early when its caller aborts
 * it, when the client is closed, and when `onProgress` throws. A result that comes later is released.
 *
 * @throws what `work` throws. An aborted call rejects with `signal.reason`
 */
export async function runOnPage(
  work: (call: PageWork) => Promise<ClientResult>,
  { signal, onProgress }: CallOptions,
  { closing, downloads }: PageCaller,
): Promise<ClientResult> {
  const ending = new AbortController();
  const end = (reason: unknown) => ending.abort(reason);
  // Untyped apps may pass null as a signal, as they may to fetch.
  const signals = [closing, signal ?? undefined, ending.signal];
  const throwIfEnded = () => {
    for (const one of signals) one?.throwIfAborted();
  };
  const report = throttledReport((progress) => {
    if (ending.signal.aborted) return;
    try {
      onProgress?.(progress);
    } catch (thrown) {
      end(thrown);
    }
  });
  try {
    throwIfEnded();
    onProgress?.({ phase: "queued", done: 0, total: 0 });
    // The callback may have aborted the call.
    throwIfEnded();
    const running = work({ signal: ending.signal, report, end, throwIfEnded });
    return await abortable(running, signals, (late) => downloads.release(late));
  } catch (thrown) {
    end(thrown);
    throw thrown;
  } finally {
    // Later reports say nothing.
    end(undefined);
  }
}
