import { ServiceError } from "../../src/shared/errors.ts";
import type { ProtectOptions } from "../../src/shared/protocol.ts";
import type { ByteSink } from "../io/sink.ts";
import type { JobContext } from "../job-context.ts";
import { copyInFileOrder } from "./copy-in-file-order.ts";
import { PdfDocument } from "./file/document.ts";
import { withRebuild } from "./open.ts";
import { newEncryption } from "./security/encryption.ts";
import { isEncrypted } from "./security/encryption-dictionary.ts";

/**
 * Encrypts a PDF with AES-256, revision 6 (ISO 32000-2, 7.6). Objects keep their numbers. All that are not streams go into
 * encrypted object streams (7.5.7), because outside of them only strings are encrypted.
 *
 * @throws {ServiceError} `already_encrypted`, `invalid_parameter` (a password over 127 bytes), `damaged_file`
 */
export async function protect(
  { source, sink, report }: JobContext<ByteSink>,
  options: ProtectOptions,
): Promise<void> {
  const encryption = newEncryption(options);
  await withRebuild(PdfDocument.open(source), async (document) => {
    if (isEncrypted(document)) {
      throw new ServiceError(
        "already_encrypted",
        "This PDF is protected already. Unlock it first, then protect it with the new password.",
      );
    }
    // Revision 6 requires PDF 2.0.
    await copyInFileOrder({ document, sink, version: "2.0", encryption, report });
  });
}
