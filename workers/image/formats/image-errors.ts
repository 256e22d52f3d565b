import { ServiceError } from "../../../src/shared/errors.ts";

/**
 * Decodes a picture that may be of a kind that most decoders do not read. When decoding fails, the kind is the reason,
 * because the file itself may be intact.
 *
 * @param format the name of the format, for people
 * @param kind the name of the kind, for people and for `details.kind`. Undefined for the usual kinds
 * @throws {ServiceError} `unsupported_conversion` in place of `damaged_file` for a rare kind
 */
export async function decodingKind<Picture>(
  format: string,
  kind: string | undefined,
  decode: () => Promise<Picture>,
): Promise<Picture> {
  try {
    return await decode();
  } catch (thrown) {
    if (kind === undefined || !(thrown instanceof ServiceError) || thrown.code !== "damaged_file")
      throw thrown;
    throw unsupportedKind(format, kind);
  }
}

/** Returns the error for an image of a kind that is not read. `details.kind` names the kind. */
export function unsupportedKind(format: string, kind: string): ServiceError {
  return new ServiceError(
    "unsupported_conversion",
    `This kind of ${format} image (${kind}) is not supported. Save it as a usual JPG or PNG with the program that made it.`,
    { kind },
  );
}

/** Returns the error for a file that is no image of its format, or a damaged one. */
export function damagedImage(format: string, reason: string): ServiceError {
  return new ServiceError(
    "damaged_file",
    `The ${format} image cannot be read: ${reason}. Try another copy of it.`,
  );
}
