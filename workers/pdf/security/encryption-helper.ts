import { taskServer } from "../../parallel/task-server.ts";
import { ChunkEncryptor } from "./chunk-encryptor.ts";
import type { EncryptionChunk } from "./encryption-chunk.ts";

/** What a helper needs to encrypt chunks of an output. */
export interface EncryptionRequest {
  readonly file: Blob;
  readonly key: CryptoKey;
}

/** Encrypts chunks for another worker. */
export async function serveEncryption({ file, key }: EncryptionRequest, port: MessagePort): Promise<void> {
  const encryptor = new ChunkEncryptor(file, key);
  try {
    await taskServer<EncryptionChunk, Blob>(port, (chunk) => encryptor.make(chunk));
  } finally {
    port.close();
  }
}
