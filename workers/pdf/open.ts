import { ServiceError } from "../../src/shared/errors.ts";
import type { ByteSource } from "../io/source.ts";
import { PdfDocument } from "./file/document.ts";
import { authenticate, isEncrypted, openWithoutKey } from "./security/standard-handler.ts";

/**
 * Opens a document for reading: an encrypted one with the empty password, else with the one given. Where neither is
 * right, but attachments alone are encrypted, it opens all the same, and only reading one of those fails as this would.
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
