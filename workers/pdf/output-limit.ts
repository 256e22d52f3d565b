import { ServiceError } from "../../src/shared/errors.ts";

/**
 * All outputs of a split together may have `FREE_BYTES` plus `TIMES` the bytes of the input. In honest files,
 * many pages share fonts and images, and each output needs them. For 880 test files split into single pages,
 * the outputs have at most 6 times the bytes of the input. For a thousand pages of 10 KB that share a font of
 * 1 MB, they have 92 times. For a file that lists one page many times, they have thousands of times.
 */
const FREE_BYTES = 512 * 1024 * 1024;
const TIMES = 100;
const MB = 1024 * 1024;

/** Limits the bytes of all outputs of a job in relation to its input. */
export class OutputLimit {
  readonly #input: number;
  #taken = 0;

  /** @param input the input's length in bytes */
  constructor(input: number) {
    this.#input = input;
  }

  /**
   * Counts the bytes of an output.
   *
   * @param bytes the output's length, including the bytes that are copied from the input without being read
   * @throws {ServiceError} `input_too_large` past the limit, with both numbers
   */
  take(bytes: number): void {
    this.#taken += bytes;
    const limit = FREE_BYTES + TIMES * this.#input;
    if (this.#taken <= limit) return;
    throw new ServiceError(
      "input_too_large",
      `The files that this PDF of ${megabytes(this.#input)} is to be split into are larger than ${megabytes(limit)} together. Split fewer pages at a time.`,
      { input_bytes: this.#input, output_limit_bytes: limit },
    );
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / MB).toFixed(bytes < 10 * MB ? 1 : 0)} MB`;
}
