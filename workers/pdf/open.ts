import { ServiceError } from "../../src/shared/errors.ts";
import type { ByteSource } from "../io/source.ts";
import { PdfDocument } from "./file/document.ts";
import { authenticate, isEncrypted, openWithoutKey } from "./standard-handler.ts";

/**
 * Opens a document and works on it. Begins again with a rebuilt document when the work finds that the cross-reference is
 * wrong.
 *
 * @param work called once or twice
 * @param restart called before the second time
 * @throws {ServiceError} `damaged_file`, and what `work` throws
 */
export async function withDocument<Result>(
  source: ByteSource,
  work: (document: PdfDocument) => Promise<Result>,
  restart: () => void = () => {},
): Promise<Result> {
  const document = PdfDocument.open(source);
  try {
    return await work(document);
  } catch (error) {
    const rebuilt = document.rebuiltAfter(error);
    restart();
    return work(rebuilt);
  }
}

/**
 * Opens a document for reading. Tries the empty password, then the given one, as {@link decryptWith} does.
 *
 * @throws {ServiceError} `password_required`, and what {@link decryptWith} throws
 */
export async function decryptForReading(document: PdfDocument, password: string | undefined): Promise<void> {
  if (!isEncrypted(document) || (await authenticate(document, ""))) return;
  await decryptWith(document, password);
}

/**
 * Opens an encrypted document. Tries the given password only. If it is wrong or absent and only attachments are encrypted,
 * the document opens, and reading an attachment throws the same error.
 *
 * @throws {ServiceError} `password_required` without a password, `wrong_password`, `unsupported_encryption`, `damaged_file`
 */
export async function decryptWith(document: PdfDocument, password: string | undefined): Promise<void> {
  if (password !== undefined && (await authenticate(document, password))) return;
  const refusal = refusalOf(password);
  if (!openWithoutKey(document, refusal)) throw refusal;
}

function refusalOf(password: string | undefined): ServiceError {
  return password === undefined
    ? new ServiceError("password_required", "The PDF is locked. Enter its password.", {
        parameter: "password",
      })
    : new ServiceError("wrong_password", "The password does not open this PDF. Check it and try again.");
}
