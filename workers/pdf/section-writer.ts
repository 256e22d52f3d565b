import { type ArchiveSection, ArchiveWriter } from "../archive/zip.ts";
import { BlobSink } from "../io/blob-sink.ts";
import { discard } from "../io/request-gc.ts";
import type { ByteSource } from "../io/source.ts";
import type { SplitSession } from "./split.ts";

/** Parts that follow each other, by their places in the selection. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Makes sections of the archive that a PDF is split into. */
export class SectionWriter {
  readonly #splitting: SplitSession;
  readonly #file: Blob;
  readonly #source: ByteSource;
  readonly #lastModified: number;
  /** What the last section was written to. */
  #latest: BlobSink;

  constructor(splitting: SplitSession, file: Blob, source: ByteSource, lastModified: number) {
    this.#splitting = splitting;
    this.#file = file;
    this.#source = source;
    this.#lastModified = lastModified;
    this.#latest = new BlobSink(file, source);
  }

  /**
   * Makes the section of some parts.
   *
   * @throws {ServiceError} what the parts fail with
   */
  async make({ from, to }: Stretch): Promise<ArchiveSection> {
    const output = this.#latest.follower();
    const archive = new ArchiveWriter(output, this.#lastModified);
    for (const part of this.#splitting.parts.slice(from, to)) {
      const content = new BlobSink(this.#file, this.#source);
      await this.#splitting.write(part, content);
      await archive.add({ name: part.name, content });
    }
    const section = archive.toSection();
    this.#latest = output;
    discard(section.content.size);
    if (output.full) await output.room();
    return section;
  }
}
