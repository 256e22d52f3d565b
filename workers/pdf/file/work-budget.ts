import { ServiceError } from "../../../src/errors.ts";

/** Reading and unpacking may look at each byte of a file this often; no honest file comes near. */
const LOOKS_PER_BYTE = 24;
/** Each of many outputs may cost this part of the budget, on average. */
const SHARE_OF_OUTPUT = 16;
const FREE_BYTES = 64 * 1024 * 1024;

/**
 * Bounds the work on one file. Bytes may be read again (overlapping objects, unclosed strings, objects that are
 * asked for twice), and a hostile file can make that quadratic: past the budget it is given up.
 */
export class WorkBudget {
  readonly #whole: number;
  #left: number;

  /** @param size the file's length in bytes */
  constructor(size: number) {
    this.#whole = FREE_BYTES + size * LOOKS_PER_BYTE;
    this.#left = this.#whole;
  }

  /** Adds to what is left, for the next of several outputs, each of which may look at what they share. */
  replenish(): void {
    this.#left = Math.min(this.#whole, this.#left + this.#whole / SHARE_OF_OUTPUT);
  }

  /** @throws ServiceError `damaged_file` when the budget is used up */
  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) {
      throw new ServiceError(
        "damaged_file",
        "The PDF's objects overlap so much that reading them would not end. Ask its sender for another copy.",
      );
    }
  }
}
