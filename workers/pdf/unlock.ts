import { ServiceError } from "../../src/shared/errors.ts";
import type { UnlockOptions } from "../../src/shared/protocol.ts";
import type { ByteSink } from "../io/sink.ts";
import type { JobContext } from "../job-context.ts";
import { copyInFileOrder } from "./copy-in-file-order.ts";
import { PdfDocument } from "./file/document.ts";
import { decryptForReading, decryptWith, withRebuild } from "./open.ts";
import { isEncrypted } from "./security/encryption-dictionary.ts";

/**
 * Removes a PDF's protection. Objects keep their numbers; only strings, streams and the trailer change.
 *
 * @throws {ServiceError} `not_encrypted`, `password_required`, `wrong_password`, `unsupported_encryption`, `damaged_file`
 */
export async function unlock(
  { source, sink, report }: JobContext<ByteSink>,
  { password }: UnlockOptions,
): Promise<void> {
  await withRebuild(PdfDocument.open(source), async (document) => {
    if (!isEncrypted(document)) {
      throw new ServiceError("not_encrypted", "This PDF is not protected: there is nothing to unlock.");
    }
    if (password === undefined) await decryptForReading(document, password);
    else await decryptWith(document, [password]);
    await copyInFileOrder({ document, sink, version: document.version, report });
  });
}
