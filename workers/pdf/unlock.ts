import { ServiceError } from "../../src/errors.ts";
import type { ByteSink } from "./bytes/sink.ts";
import type { ByteSource } from "./bytes/source.ts";
import { PdfDocument } from "./file/document.ts";
import { rewriteFile } from "./file/walk.ts";
import type { Report } from "./job.ts";
import { withoutCryptFilter } from "./security/handler.ts";
import { authenticate, isEncrypted } from "./security/standard-handler.ts";
import { decryptedLength, writeDecrypted } from "./security/stream-cipher.ts";
import { PdfDict, PdfStream } from "./syntax/objects.ts";

/**
 * Removes a PDF's protection. Objects keep their numbers; only strings, streams and the trailer change.
 *
 * @param options.password the user's or the owner's; the empty password is one, too
 * @throws ServiceError `not_encrypted`, `wrong_password`, `unsupported_encryption`, `damaged_file`
 */
export async function unlock(
  source: ByteSource,
  sink: ByteSink,
  options: { readonly password: string },
  report: Report,
): Promise<void> {
  const document = PdfDocument.open(source);
  if (!isEncrypted(document)) {
    throw new ServiceError("not_encrypted", "This PDF is not protected: there is nothing to unlock.");
  }
  if (!authenticate(document, options.password)) {
    throw new ServiceError("wrong_password", "The password does not open this PDF. Check it and try again.");
  }
  const { security } = document;
  if (!security) throw new Error("authentication set no security handler");
  await rewriteFile(
    document,
    sink,
    document.version,
    (writer, { num, gen, value }) => {
      if (!(value instanceof PdfStream)) {
        writer.object(num, gen, security.decryptStrings(value, num, gen));
        return;
      }
      const dict = security.decryptStrings(value.dict, num, gen);
      const cipher = security.streamCipher(value.dict, num, gen);
      const length = decryptedLength(source, value.data, cipher);
      if (!(dict instanceof PdfDict)) return;
      writer.stream(num, gen, withoutCryptFilter(dict), length, (out) =>
        writeDecrypted(out, source, value.data, cipher, length),
      );
    },
    (_, trailer) => trailer.delete("Encrypt"),
    report,
  );
}
