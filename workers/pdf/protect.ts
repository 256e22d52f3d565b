import { ServiceError } from "../../src/shared/errors.ts";
import { FORMATS } from "../../src/shared/formats.ts";
import type { ProtectOptions } from "../../src/shared/protocol.ts";
import type { JobContext, StreamContext } from "../job-context.ts";
import { copyInFileOrder } from "./copy-in-file-order.ts";
import type { PdfDocument } from "./file/document.ts";
import { withDocument } from "./open.ts";
import { EncryptingSink } from "./security/encrypting-sink.ts";
import { newEncryption } from "./security/encryption.ts";
import { isEncrypted } from "./security/standard-handler.ts";

/**
 * Encrypts a PDF with AES-256, revision 6 (ISO 32000-2, 7.6). Objects keep their numbers; only strings, streams and
 * the trailer change.
 *
 * @throws {ServiceError} `already_encrypted`, `invalid_parameter` (a password over 127 bytes), `damaged_file`
 */
export async function protect(
  { source, sink, report }: StreamContext,
  options: ProtectOptions,
): Promise<void> {
  const encryption = newEncryption(options);
  // The keys are derived while the file is read ahead. A sink that encrypts reads the file itself.
  if (!sink.encryptor) await source.readAhead?.(0);
  const copyEncrypted = async (document: PdfDocument) => {
    if (isEncrypted(document)) {
      throw new ServiceError(
        "already_encrypted",
        "This PDF is protected already. Unlock it first, then protect it with the new password.",
      );
    }
    // Revision 6 requires PDF 2.0.
    await copyInFileOrder({ document, sink, version: "2.0", encryption, report });
  };
  await withDocument(source, copyEncrypted, () => sink.restart());
}

/**
 * Encrypts a PDF like {@link protect}. Helpers share the encryption of long streams.
 *
 * @throws {ServiceError} the errors of {@link protect}
 */
export async function protectBlob(context: JobContext, options: ProtectOptions): Promise<Blob> {
  const sink = new EncryptingSink(context.file, context.sink, context.helpers);
  try {
    await protect({ ...context, sink }, options);
    return sink.toBlob(FORMATS.pdf.mime);
  } finally {
    sink.close();
  }
}
