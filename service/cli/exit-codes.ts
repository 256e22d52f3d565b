import type { ErrorCode } from "../../src/shared/errors.ts";

/** The exit codes of a command, and when it ends with each. They are stable: scripts compare them. */
export const EXIT_CODES = {
  0: "all results are written",
  1: "something unexpected: a bug, or a disk that is full",
  2: "wrong use: a command, an option or a field",
  3: "a file is not there, or cannot be opened or written",
  4: "the format of the file, or the conversion, is not supported",
  5: "the file is damaged beyond repair",
  6: "the password is missing or wrong",
  7: "the encryption of the file does not fit the command",
  8: "the file is too large: a limit, the memory or the time",
  130: "Ctrl C: what was not finished is removed",
  141: "the reader of the standard output has closed it",
  143: "the process was asked to end: what was not finished is removed",
} as const;

/** A key of {@link EXIT_CODES}. */
export type ExitCode = keyof typeof EXIT_CODES;

/** The exit code of each error. */
export const EXIT_OF: Readonly<Record<ErrorCode, ExitCode>> = {
  missing_parameter: 2,
  invalid_parameter: 2,
  invalid_page_selection: 2,
  not_found: 3,
  forbidden: 3,
  unsupported_input: 4,
  unsupported_conversion: 4,
  damaged_file: 5,
  password_required: 6,
  wrong_password: 6,
  not_encrypted: 7,
  already_encrypted: 7,
  unsupported_encryption: 7,
  input_too_large: 8,
  out_of_memory: 8,
  timeout: 8,
  // Those below are errors of HTTP, of browsers and of remote services.
  internal_error: 1,
  unauthorized: 1,
  method_not_allowed: 1,
  rate_limited: 1,
  sealed_unavailable: 1,
  remote_not_configured: 1,
  remote_refused: 1,
  remote_failed: 1,
  converter_failed: 1,
  client_closed: 1,
  offline: 1,
};

/** Returns the codes of the errors that a command ends with an exit code for. */
export function errorsOf(exitCode: ExitCode): readonly ErrorCode[] {
  const codes = Object.keys(EXIT_OF) as ErrorCode[];
  return codes.filter((code) => EXIT_OF[code] === exitCode);
}
