import { ServiceError } from "../../src/shared/errors.ts";
import { HANG_TIMEOUT_MS, limitReached, PAGE_TIMEOUT_MS } from "../call-budget.ts";
import type { JobContext } from "../job-context.ts";
import { LONGEST_FILE } from "./file-access.ts";

const SECONDS = PAGE_TIMEOUT_MS / 1000;

/** For so many milliseconds, an announcement also covers the pages that follow. */
const BATCH_MS = 250;

/**
 * Announces to another thread that PDFium may never return. Pages that take little time share an announcement, so that a
 * document of many small pages does not keep that thread busy. The announced error then names the first of them.
 */
export class HangGuard {
  readonly #deadline: JobContext["deadline"];
  #announcedAt: number | undefined;

  constructor(deadline: JobContext["deadline"]) {
    this.#deadline = deadline;
  }

  /** Called before PDFium works, with the error of the job if it never returns. */
  enter(error: () => ServiceError): void {
    const now = performance.now();
    if (this.#announcedAt !== undefined && now - this.#announcedAt < BATCH_MS) return;
    this.#announcedAt = now;
    this.#deadline({ milliseconds: HANG_TIMEOUT_MS, error: error().toWire() });
  }

  /** Called when PDFium has returned. The next page may follow at once. */
  leave(): void {
    const at = this.#announcedAt;
    if (at !== undefined && performance.now() - at >= BATCH_MS) this.withdraw();
  }

  /** Withdraws the announcement, before other work that may take long. */
  withdraw(): void {
    if (this.#announcedAt === undefined) return;
    this.#announcedAt = undefined;
    this.#deadline(undefined);
  }
}

/** The work of PDFium on a page. */
export type PageWork = "draw" | "read";

/**
 * Returns the error for a page that cannot be drawn or read.
 *
 * @param page the page number, from 1
 */
export function damagedPage(page: number, why: string, work: PageWork = "draw"): ServiceError {
  const done = work === "draw" ? "drawn" : "read";
  return new ServiceError(
    "damaged_file",
    `Page ${page} of this PDF cannot be ${done}: ${why}. Select the other pages, or ask for another copy.`,
    { page },
  );
}

/** Returns the error for a page that takes longer than {@link PAGE_TIMEOUT_MS}. */
export function tooSlow(page: number, work: PageWork = "draw"): ServiceError {
  const more = work === "draw" ? ", or take a lower dpi" : "";
  return limitReached(
    "seconds",
    `Page ${page} of this PDF takes more than ${SECONDS} seconds to ${work}. Select the other pages${more}.`,
    { page, largest_seconds: SECONDS },
  );
}

/** Returns the error for a file in which PDFium does not reach the pages within {@link PAGE_TIMEOUT_MS}. */
export function tooSlowToOpen(): ServiceError {
  return limitReached(
    "seconds",
    `The list of this PDF's pages takes more than ${SECONDS} seconds to read. Ask for another copy.`,
    { largest_seconds: SECONDS },
  );
}

/**
 * Returns the error for a file that is too long for PDFium, although it has only the requested pages.
 *
 * @param bytes the length of the file
 */
export function tooLong(bytes: number): ServiceError {
  return new ServiceError(
    "input_too_large",
    `These pages are ${bytes} bytes, and no more than ${LONGEST_FILE} can be drawn from one file. Take fewer at a time.`,
    { size: bytes, largest_size: LONGEST_FILE },
  );
}
