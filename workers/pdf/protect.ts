import { ServiceError } from "../../src/errors.ts";
import type { Permission } from "../protocol.ts";
import type { ByteSink } from "./bytes/sink.ts";
import type { ByteSource } from "./bytes/source.ts";
import { PdfDocument } from "./file/document.ts";
import { rewriteFile } from "./file/walk.ts";
import type { Report } from "./job.ts";
import { expectPages } from "./pages/page-tree.ts";
import { BLOCK, encryptedLength } from "./security/aes.ts";
import { encryptString, newEncryption } from "./security/encryption.ts";
import { mapStrings, namedCryptFilter } from "./security/handler.ts";
import { isEncrypted } from "./security/standard-handler.ts";
import { AesKey, dataLength, writeEncrypted, writePlain } from "./security/stream-cipher.ts";
import { PdfDict, PdfRef, PdfStream, PdfString } from "./syntax/objects.ts";

/** What {@link protect} wants to know. */
export interface ProtectOptions {
  readonly password: string;
  /** Random when absent. */
  readonly ownerPassword?: string | undefined;
  /** What someone with the user password may do; all when absent. */
  readonly permissions?: readonly Permission[] | undefined;
}

/**
 * Encrypts a PDF with AES-256, revision 6 (ISO 32000-2, 7.6). Objects keep their numbers; only strings, streams and
 * the trailer change.
 *
 * @throws ServiceError `already_encrypted`, `invalid_parameter` (a password over 127 bytes), `damaged_file`
 */
export async function protect(
  source: ByteSource,
  sink: ByteSink,
  options: ProtectOptions,
  report: Report,
): Promise<void> {
  const document = PdfDocument.open(source);
  if (isEncrypted(document)) {
    throw new ServiceError(
      "already_encrypted",
      "This PDF is protected already. Unlock it first, then protect it with the new password.",
    );
  }
  expectPages(document);
  const encryption = newEncryption(options);
  const key = new AesKey(encryption.fileKey);
  await rewriteFile(
    document,
    sink,
    // Revision 6 came with PDF 2.0.
    "2.0",
    (writer, { num, gen, value }) => {
      const encrypted = mapStrings(value instanceof PdfStream ? value.dict : value, (string) =>
        encryptString(encryption, string),
      );
      if (!(value instanceof PdfStream && encrypted instanceof PdfDict)) {
        writer.object(num, gen, encrypted);
      } else if (namedCryptFilter(value.dict) === "Identity") {
        writer.stream(num, gen, encrypted, dataLength(value.data), (out) => writePlain(out, value.data));
      } else {
        writer.stream(num, gen, encrypted, encryptedLength(dataLength(value.data)), (out) =>
          writeEncrypted(out, source, value.data, key, encryption.random.take(BLOCK)),
        );
      }
    },
    (writer, trailer) => {
      const num = writer.allocate();
      writer.object(num, 0, encryption.dict);
      trailer.set("Encrypt", new PdfRef(num, 0));
      // Readers look for an identifier in every encrypted file (ISO 32000-2, Table 15).
      if (document.array(trailer.get("ID")).length < 2) {
        const id = new PdfString(encryption.random.take(16), true);
        trailer.set("ID", [id, id]);
      }
    },
    report,
  );
}
