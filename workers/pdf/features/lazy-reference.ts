import type { FileWriter } from "../file/file-writer.ts";
import { PdfRef } from "../syntax/objects.ts";

/** A reference to a new object, which gets its number when something first refers to it. */
export class LazyReference {
  readonly #writer: FileWriter;
  #ref: PdfRef | undefined;

  constructor(writer: FileWriter) {
    this.#writer = writer;
  }

  get ref(): PdfRef {
    this.#ref ??= new PdfRef(this.#writer.allocate(), 0);
    return this.#ref;
  }
}
