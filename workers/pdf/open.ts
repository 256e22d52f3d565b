import { ServiceError } from "../../src/shared/errors.ts";
import { BrokenStructure } from "./file/cross-reference.ts";
import type { PdfDocument } from "./file/document.ts";
import { embeddedFileNumbers } from "./file/embedded-files.ts";
import { signatureNumbers } from "./pages/signatures.ts";
import { authenticate } from "./security/authenticate.ts";
import { type CryptFilters, Decryptor, type SignatureNumbers } from "./security/decryptor.ts";
import { isEncrypted, readEncryption } from "./security/encryption-dictionary.ts";

/**
 * Works on a document. When the work finds that the cross-reference of the file is wrong, begins again with the rebuilt
 * document.
 *
 * @param work called once or twice. The second call must not use results of the first, which may be wrong
 * @throws {ServiceError} `damaged_file` when a scan of the file finds no document; what `work` throws
 */
export async function withRebuild<Result>(
  document: PdfDocument,
  work: (document: PdfDocument) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(document);
  } catch (error) {
    if (!(error instanceof BrokenStructure)) throw error;
    return work(document.rebuilt());
  }
}

/**
 * Opens a document for reading. Tries the empty password, then the given one.
 *
 * @throws {ServiceError} `password_required` without a password, and what {@link decryptWith} throws
 */
export async function decryptForReading(document: PdfDocument, password: string | undefined): Promise<void> {
  if (!isEncrypted(document)) return;
  if (password !== undefined) return decryptWith(document, ["", password]);
  const refusal = new ServiceError("password_required", "The PDF is locked. Enter its password.", {
    parameter: "password",
  });
  await decryptWith(document, [""], refusal);
}

/**
 * Opens an encrypted document with the first password that is right. If none is, and only attachments are encrypted, the
 * document opens, and reading an attachment throws `refusal`.
 *
 * @param refusal the error when no password is right; by default `wrong_password`
 * @throws {ServiceError} `refusal`, `unsupported_encryption`, `damaged_file`
 */
export async function decryptWith(
  document: PdfDocument,
  passwords: readonly string[],
  refusal = wrongPassword(),
): Promise<void> {
  const encryption = readEncryption(document);
  const { filters } = encryption;
  for (const password of passwords) {
    const fileKey = await authenticate(encryption, password);
    if (fileKey) return useKey(document, fileKey, filters);
  }
  // Only attachments may be encrypted (`AuthEvent` is `EFOpen`; ISO 32000-2, Table 25).
  if (filters.streams !== "none" || filters.strings !== "none") throw refusal;
  useKey(document, refusal, filters);
}

/**
 * Decrypts all objects that are read after this call.
 *
 * @param fileKey the key, or the error for reading encrypted data without one
 */
function useKey(document: PdfDocument, fileKey: Uint8Array | ServiceError, filters: CryptFilters): void {
  const encryption = document.trailer.reference("Encrypt")?.num;
  let found: SignatureNumbers | undefined;
  const signatures = () => {
    found ??= signatureNumbers(document);
    return found;
  };
  document.decryptor = new Decryptor(fileKey, filters, { encryption, signatures });
  const hasUnencryptedMetadata = !filters.metadata;
  const hasOtherFiles = filters.embeddedFiles !== filters.streams;
  if (!hasUnencryptedMetadata && !hasOtherFiles) return;
  // Finding these objects requires decryption.
  const excepted = {
    encryption,
    signatures,
    metadata: hasUnencryptedMetadata ? document.catalog?.reference("Metadata")?.num : undefined,
    embeddedFiles: hasOtherFiles ? embeddedFileNumbers(document) : undefined,
  };
  document.decryptor = new Decryptor(fileKey, filters, excepted);
}

function wrongPassword(): ServiceError {
  return new ServiceError("wrong_password", "The password does not open this PDF. Check it and try again.");
}
