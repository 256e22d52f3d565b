import { ServiceError } from "../../../src/shared/errors.ts";
import type { PdfObject } from "../syntax/objects.ts";
import { ByteWriter, writeObject } from "../syntax/serializer.ts";
import { OBJECT_NUMBER_LIMIT } from "./cross-reference.ts";
import { NumberSet } from "./number-set.ts";

/** Which object numbers of a file that is being written are taken, and which may be given to what is added. */
export class ObjectNumbers {
  /** Numbers that references name, which may lead nowhere: nobody keeps account of them when undefined. */
  readonly named: NumberSet | undefined;
  #highest: number;
  readonly #spare: number[] = [];
  #sparesTaken = 0;

  /**
   * @param highest the highest number that is taken
   * @param mayDangle whether references may lead nowhere, so that what is added must have a number that none names
   */
  constructor(highest: number, mayDangle: boolean) {
    this.#highest = highest;
    if (mayDangle) this.named = new NumberSet();
  }

  /** Says that a number is taken. */
  take(num: number): void {
    if (num > this.#highest) this.#highest = num;
  }

  /** Says that a number below the highest is not taken. */
  spare(num: number): void {
    this.#spare.push(num);
  }

  /** Takes account of the references in an object before it is written. */
  foresee(object: PdfObject): void {
    if (!this.named) return;
    const draft = new ByteWriter();
    draft.named = this.named;
    writeObject(draft, object);
    draft.end();
  }

  /**
   * A number that nothing else has.
   *
   * @throws {ServiceError} `input_too_large` when there is none left
   */
  allocate(): number {
    for (;;) {
      const num = this.#takeSpare() ?? this.#next();
      if (!this.named?.has(num)) return num;
    }
  }

  /**
   * Returns the next spare number. Moves an index and not the list: the list may be long, and references may
   * name all of its numbers.
   */
  #takeSpare(): number | undefined {
    return this.#sparesTaken < this.#spare.length ? this.#spare[this.#sparesTaken++] : undefined;
  }

  #next(): number {
    if (this.#highest >= OBJECT_NUMBER_LIMIT) {
      throw new ServiceError(
        "input_too_large",
        `This PDF needs more objects than a PDF may have, ${OBJECT_NUMBER_LIMIT}. Split it into parts.`,
      );
    }
    return ++this.#highest;
  }
}
