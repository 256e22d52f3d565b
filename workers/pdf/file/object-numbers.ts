import { limitReached } from "../../call-budget.ts";
import type { PdfObject } from "../syntax/objects.ts";
import { ByteWriter, writeObject } from "../syntax/serializer.ts";
import { NumberSet, OBJECT_NUMBER_LIMIT } from "./cross-reference.ts";

/** Allocates object numbers in a file that is being written. */
export class ObjectNumbers {
  /** The numbers that references name, if they may dangle. */
  readonly referenced: NumberSet | undefined;
  #highest: number;
  readonly #released: number[] = [];
  #reused = 0;

  /**
   * @param highest the highest number in use
   * @param mayDangle whether references may lead nowhere; new objects then get numbers that no reference names
   */
  constructor(highest: number, mayDangle: boolean) {
    this.#highest = highest;
    if (mayDangle) this.referenced = new NumberSet();
  }

  /** Marks a number as used. */
  take(num: number): void {
    if (num > this.#highest) this.#highest = num;
  }

  /** Marks a number below the highest as free. */
  release(num: number): void {
    this.#released.push(num);
  }

  /** Records the references in an object that is written later. */
  recordReferences(object: PdfObject): void {
    if (!this.referenced) return;
    const draft = new ByteWriter();
    draft.referenced = this.referenced;
    writeObject(draft, object);
    draft.end();
  }

  /**
   * Returns a free number.
   *
   * @throws {ServiceError} `input_too_large` when there is none left
   */
  allocate(): number {
    for (;;) {
      const num = this.#takeReleased() ?? this.#next();
      if (!this.referenced?.has(num)) return num;
    }
  }

  /**
   * Returns the next released number. Moves an index and not the list: the list may be long, and references may
   * name all of its numbers.
   */
  #takeReleased(): number | undefined {
    return this.#reused < this.#released.length ? this.#released[this.#reused++] : undefined;
  }

  #next(): number {
    if (this.#highest >= OBJECT_NUMBER_LIMIT) {
      throw limitReached(
        "objects",
        `This PDF needs more objects than a PDF may have, ${OBJECT_NUMBER_LIMIT}. Split it into parts.`,
        { largest_objects: OBJECT_NUMBER_LIMIT },
      );
    }
    return ++this.#highest;
  }
}
