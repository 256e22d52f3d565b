import { ServiceError } from "../../src/shared/errors.ts";
import type { ByteSource } from "../io/source.ts";
import { PdfDocument } from "./file/document.ts";
import { authenticate, isEncrypted, openWithoutKey } from "./security/standard-handler.ts";

/**
 * Opens a document for reading. Tries the empty password, then the given one. If neither is right and only attachments
 * are encrypted, the document opens, and reading an attachment throws the same error.
 *
 * @throws {ServiceError} `password_required`, `wrong_password`, `unsupported_encryption`, `damaged_file`
 */
export async function openForReading(source: ByteSource, password: string | undefined): Promise<PdfDocument> {
  const document = PdfDocument.open(source);
  if (!isEncrypted(document) || (await authenticate(document, ""))) return document;
  if (password !== undefined && (await authenticate(document, password))) return document;
  const refusal = refusalOf(password);
  if (!openWithoutKey(document, refusal)) throw refusal;
  return document;
}

function refusalOf(password: string | undefined): ServiceError {
  return password === undefined
    ? new ServiceError(
        "password_required",
        "This PDF is protected. Give its password in the field `password`.",
        {
          parameter: "password",
        },
      )
    : new ServiceError("wrong_password", "The password does not open this PDF. Check it and try again.");
}
