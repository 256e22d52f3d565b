import { closeSync, openSync, writeSync } from "node:fs";

const GATHERED = 1024 * 1024;

/** A PDF on its way to the disk, object by object, with a plain cross-reference table at its end. */
export class PdfFile {
  readonly #file: number;
  readonly #offsets: number[] = [];
  #gathered: Uint8Array[] = [];
  #gatheredBytes = 0;
  #length = 0;

  constructor(path: string) {
    this.#file = openSync(path, "w");
    this.#write("%PDF-1.7\n%\u{e2}\u{e3}\u{cf}\u{d3}\n");
  }

  /** Writes the object of the next number, from 1. */
  object(content: string): void {
    this.#write(`${this.#begin()} 0 obj\n${content}\nendobj\n`);
  }

  /** Writes the stream of the next number; its length is added to the entries. */
  stream(entries: string, data: Uint8Array | string): void {
    this.#write(`${this.#begin()} 0 obj\n<< ${entries} /Length ${data.length} >>\nstream\n`);
    this.#write(data);
    this.#write("\nendstream\nendobj\n");
  }

  /** Writes the table and the trailer. Object 1 is the catalog. */
  finish(trailerEntries = ""): void {
    const start = this.#length;
    const size = this.#offsets.length + 1;
    this.#write(`xref\n0 ${size}\n0000000000 65535 f \n`);
    for (const offset of this.#offsets) this.#write(`${String(offset).padStart(10, "0")} 00000 n \n`);
    this.#write(`trailer\n<< /Size ${size} /Root 1 0 R ${trailerEntries} >>\nstartxref\n${start}\n%%EOF\n`);
    this.#flush();
    closeSync(this.#file);
  }

  #begin(): number {
    return this.#offsets.push(this.#length);
  }

  #write(data: Uint8Array | string): void {
    const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : data;
    this.#gathered.push(bytes);
    this.#gatheredBytes += bytes.length;
    this.#length += bytes.length;
    if (this.#gatheredBytes >= GATHERED) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#gathered);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    this.#gathered = [];
    this.#gatheredBytes = 0;
  }
}
