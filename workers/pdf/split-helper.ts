import type { SplitOptions } from "../../src/shared/protocol.ts";
import type { ArchiveSection } from "../archive/zip.ts";
import { BlobSource, type SyncReader } from "../io/blob-source.ts";
import { serveTasks } from "../parallel/helper-pool.ts";
import { SectionWriter, type Stretch } from "./section-writer.ts";
import { SplitSession } from "./split.ts";

/** What is to be split, and how. */
export interface SplitRequest {
  readonly file: Blob;
  readonly options: SplitOptions;
  readonly lastModified: number;
}

/** Makes sections of an archive for another worker. */
export async function helpWithSplit(
  { file, options, lastModified }: SplitRequest,
  port: MessagePort,
  reader: SyncReader,
): Promise<void> {
  try {
    const source = new BlobSource(file, reader);
    const splitting = await SplitSession.open(source, options);
    const maker = new SectionWriter(splitting, file, source, lastModified);
    await serveTasks<Stretch, ArchiveSection>(port, async (stretch) => {
      const section = await maker.make(stretch);
      if (splitting.isOutdated) throw new Error("the file is damaged");
      return section;
    });
  } finally {
    port.close();
  }
}
