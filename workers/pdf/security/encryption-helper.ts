import { serveTasks } from "../../parallel/helper-pool.ts";
import { ChunkEncryptor } from "./chunk-encryptor.ts";
import type { EncryptionChunk } from "./encryption-chunk.ts";

/** An output of which others make runs, too. */
export interface RunsRequest {
  readonly file: Blob;
  readonly key: CryptoKey;
}

/** Makes runs for another worker. */
export async function helpWithRuns({ file, key }: RunsRequest, port: MessagePort): Promise<void> {
  const maker = new ChunkEncryptor(file, key);
  try {
    await serveTasks<EncryptionChunk, Blob>(port, (run) => maker.make(run));
  } finally {
    port.close();
  }
}
