import { ServiceError } from "../../src/errors.ts";
import { RETRY_AFTER_SECONDS } from "./line.ts";

/** 10 kB a second. An upload that is faster gains on all that stand still, however new they are. */
const EXPECTED_BYTES_PER_MS = 10;

interface Current {
  readonly start: number;
  readonly receivedBytes: () => number;
  readonly ending: AbortController;
}

/** One upload that is being received. */
export interface Uploading {
  /** Aborted when the upload has to end, with the `ServiceError` that says why. */
  readonly signal: AbortSignal;
  /** Ends its count, once. */
  end(): void;
}

/**
 * Counts the uploads that are being received. A new upload is never refused for the sake of slow ones: when there are
 * too many, the one that is furthest behind ends. So connections that are kept open without sending keep no other sender
 * out, and the bytes on disk are limited.
 */
export class Uploads {
  readonly #most: number;
  readonly #timeLimitMs: number;
  readonly #current = new Set<Current>();

  /**
   * @param most how many are received at a time
   * @param timeLimitMs how many milliseconds one may take
   */
  constructor(most: number, timeLimitMs: number) {
    this.#most = most;
    this.#timeLimitMs = timeLimitMs;
  }

  /**
   * Begins an upload. It ends with `rate_limited` when it is the last of too many, and with `timeout` when it takes
   * too long.
   *
   * @param receivedBytes how many bytes have arrived so far
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

  /** Ends the upload that lacks most of the bytes that are expected by now. */
  #endLast(): void {
    const now = performance.now();
    const lead = ({ start, receivedBytes }: Current) =>
      receivedBytes() - EXPECTED_BYTES_PER_MS * (now - start);
    const [last] = [...this.#current].sort((one, other) => lead(one) - lead(other));
    if (last !== undefined) this.#end(last, tooSlow());
  }

  #end(upload: Current, reason: ServiceError): void {
    this.#current.delete(upload);
    upload.ending.abort(reason);
  }
}

function tooSlow(): ServiceError {
  return new ServiceError(
    "rate_limited",
    "The service receives too many files, and this one came most slowly: try again in a moment.",
    { retry_after: RETRY_AFTER_SECONDS },
  );
}

function tooLong(timeLimitMs: number): ServiceError {
  return new ServiceError(
    "timeout",
    `The upload took longer than ${timeLimitMs} ms: try a smaller file, or a faster connection.`,
    { timeout: timeLimitMs },
  );
}
