import { ServiceError } from "../../src/shared/errors.ts";
import { STOPPING, tryLater } from "./answers.ts";

/**
 * The service expects 10 kB/s. A faster upload stays ahead of every upload that sends nothing, even a new
 * one.
 */
const EXPECTED_BYTES_PER_MS = 10;

/** Ends an upload of which nothing arrives. Nothing is left to read of its request, so it can be answered at once. */
export const STALLED: ServiceError = tryLater(STOPPING);

const TOO_SLOW = "The service receives too many files, and this upload was the slowest.";

interface Current {
  readonly start: number;
  readonly receivedBytes: () => number;
  readonly ending: AbortController;
}

/** An upload in progress. */
export interface Uploading {
  /** Aborts when the service ends the upload. The reason is a `ServiceError`. */
  readonly signal: AbortSignal;
  /** Removes the upload from the count. Call it once. */
  end(): void;
}

/**
 * Counts the uploads in progress and limits their number. The service never refuses a new upload because of
 * slow ones: at the limit, it ends the upload that is furthest behind. Connections that stay open without
 * sending therefore block no other sender, and the bytes on disk stay limited.
 */
export class Uploads {
  readonly #most: number;
  readonly #timeLimitMs: number;
  readonly #current = new Set<Current>();

  /**
   * @param most the largest number of uploads at a time
   * @param timeLimitMs the longest time of one upload, in milliseconds
   */
  constructor(most: number, timeLimitMs: number) {
    this.#most = most;
    this.#timeLimitMs = timeLimitMs;
  }

  /**
   * Begins an upload. The service ends it with `rate_limited` when there are too many uploads and this one is
   * furthest behind, and with `timeout` when it exceeds the time limit.
   *
   * @param receivedBytes returns the number of bytes received so far
   */
  begin(receivedBytes: () => number): Uploading {
    const upload: Current = { start: performance.now(), receivedBytes, ending: new AbortController() };
    if (this.#current.size >= this.#most) this.#endLast();
    this.#current.add(upload);
    const late = setTimeout(() => this.#end(upload, tooLong(this.#timeLimitMs)), this.#timeLimitMs);
    return {
      signal: upload.ending.signal,
      end: () => {
        clearTimeout(late);
        this.#current.delete(upload);
      },
    };
  }

  /** From now on, ends each upload of which nothing arrives for some time, with {@link STALLED}. The service is about to stop. */
  endStalled(timeMs: number): void {
    const before = new Map<Current, number>();
    const check = () => {
      for (const upload of this.#current) {
        const bytes = upload.receivedBytes();
        if (before.get(upload) === bytes) this.#end(upload, STALLED);
        before.set(upload, bytes);
      }
      if (this.#current.size === 0) clearInterval(timer);
    };
    const timer = setInterval(check, timeMs);
    check();
  }

  /** Ends the upload that is furthest behind the expected rate. */
  #endLast(): void {
    const now = performance.now();
    const lead = ({ start, receivedBytes }: Current) =>
      receivedBytes() - EXPECTED_BYTES_PER_MS * (now - start);
    const [last] = [...this.#current].sort((one, other) => lead(one) - lead(other));
    if (last !== undefined) this.#end(last, tryLater(TOO_SLOW));
  }

  #end(upload: Current, reason: ServiceError): void {
    this.#current.delete(upload);
    upload.ending.abort(reason);
  }
}

function tooLong(timeLimitMs: number): ServiceError {
  return new ServiceError(
    "timeout",
    `The upload took longer than ${timeLimitMs / 1_000} seconds. Use a smaller file or a faster connection.`,
    { timeout: timeLimitMs },
  );
}
