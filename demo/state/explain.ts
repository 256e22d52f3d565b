import { type ErrorCode, ServiceError } from "../../src/index.ts";
import { language, type Message, type MessageKey } from "../messages/index.ts";
import { readableSize } from "./formats.ts";
import { serviceHost, serviceUrl } from "./service.ts";

/** What the user can do about an error, as a button. */
type Remedy = "retry" | "password";

/** An error as the page shows it. */
interface Explanation extends Message {
  readonly remedy?: Remedy | undefined;
  /** For a report: the code and the text of the library. */
  readonly details: string;
}

const EXPLANATIONS: Readonly<Record<ErrorCode, readonly [MessageKey, Remedy?]>> = {
  missing_parameter: ["error.internal", "retry"],
  invalid_parameter: ["error.option", "retry"],
  invalid_page_selection: ["error.pages", "retry"],
  unauthorized: ["error.serviceKey"],
  forbidden: ["error.serviceKey"],
  not_found: ["error.service", "retry"],
  method_not_allowed: ["error.service", "retry"],
  input_too_large: ["error.tooLarge"],
  unsupported_input: [serviceUrl === undefined ? "error.type" : "error.typeOffice"],
  unsupported_conversion: ["error.conversion"],
  damaged_file: ["error.damaged"],
  password_required: ["error.password", "password"],
  wrong_password: ["error.wrongPassword", "password"],
  not_encrypted: ["error.notLocked"],
  already_encrypted: ["error.alreadyLocked"],
  unsupported_encryption: ["error.encryption"],
  rate_limited: ["error.busyService", "retry"],
  internal_error: ["error.internal", "retry"],
  sealed_unavailable: ["error.internal", "retry"],
  remote_not_configured: ["error.noService"],
  remote_refused: ["error.notSent", "retry"],
  remote_failed: ["error.service", "retry"],
  converter_failed: ["error.converter", "retry"],
  client_closed: ["error.internal", "retry"],
  offline: ["error.offline", "retry"],
  timeout: ["error.timeout", "retry"],
  out_of_memory: ["error.memory", "retry"],
};

/** Explains an error to the user. An error that is not of the library is a fault of the app. */
export function explain(error: unknown): Explanation {
  if (!(error instanceof ServiceError)) {
    return { message: "error.internal", remedy: "retry", details: String(error) };
  }
  const [message, remedy] = EXPLANATIONS[error.code];
  const { cause, smallest } = error.details;
  const details = `${error.code}: ${error.message}${cause === undefined ? "" : ` (${cause})`}`;
  if (typeof smallest === "number") {
    return { message: "error.smallest", values: { size: readableSize(smallest, language()) }, details };
  }
  return { message, values: { host: serviceHost }, remedy, details };
}
