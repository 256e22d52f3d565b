import { type ErrorCode, type ErrorDetails, ServiceError } from "../shared/errors.ts";
import { DETAIL_TYPES } from "./detail-types.ts";
import { retryAfterOf } from "./retries.ts";
import type { Secrets } from "./secrets.ts";

/** The answer of the service to a successful request. */
export interface Answer {
  /** An http or https URL. */
  readonly downloadUrl: URL;
  /** Undefined if it is not a valid file name, or contains a secret. */
  readonly fileName: string | undefined;
}

/** The origins and secrets that an answer is checked against. */
export interface Trust {
  /** The service's own origin. */
  readonly service: string;
  /** Other origins at which the service may keep results. */
  readonly downloadOrigins: readonly string[];
  readonly secrets: Secrets;
}

const ANSWER_LIMIT_BYTES = 64 * 1024;
const MESSAGE_LIMIT = 300;
const DETAILS_LIMIT = 10;

/** The error codes of some statuses, whatever the body says. */
const STATUS_CODES: Readonly<Record<number, ErrorCode>> = {
  401: "unauthorized",
  403: "unauthorized",
  413: "input_too_large",
  429: "rate_limited",
};

/**
 * The error codes that are accepted from the service: those about the file or the fields. Others are ignored, because the
 * caller cannot do anything about them.
 */
const ACCEPTED_CODES: readonly ErrorCode[] = [
  "missing_parameter",
  "invalid_parameter",
  "invalid_page_selection",
  "unsupported_input",
  "unsupported_conversion",
  "damaged_file",
  "password_required",
  "wrong_password",
  "not_encrypted",
  "already_encrypted",
  "unsupported_encryption",
  "timeout",
];

const SENTENCES: Partial<Record<ErrorCode, string>> = {
  unauthorized: "The remote service refused the key. Check the key (apiKey) and its permissions.",
  input_too_large: "The file is too large for the remote service. Choose a smaller file.",
  rate_limited: "The remote service gets too many requests. Try again later.",
};

/**
 * Reads the answer to a successful request.
 *
 * @throws {ServiceError} `remote_failed` if the answer violates the contract, or its `download_url` has an origin that
 *   the app does not trust
 */
export async function readAnswer(response: Response, trust: Trust): Promise<Answer> {
  const { status } = response;
  const violation = (what: string) =>
    new ServiceError("remote_failed", `The answer of the remote service violates its contract: ${what}.`, {
      status,
    });
  // Any error of the body: it may come from the transport of the app.
  const text = await readText(response).catch(() => {
    throw new ServiceError("remote_failed", "The answer of the remote service is incomplete. Try again.", {
      status,
    });
  });
  if (text === undefined) throw violation("the answer is too long");
  const answer = parseObject(text);
  if (answer === undefined) throw violation("the answer is not a JSON object");
  if (answer.success !== true) throw violation(`"success" is not true, though the status is ${status}`);
  const { download_url, file_name } = answer;
  if (typeof file_name !== "string") throw violation('"file_name" is not a text');
  const downloadUrl = typeof download_url === "string" ? webUrl(download_url) : undefined;
  if (downloadUrl === undefined) throw violation('"download_url" is not an http or https URL');
  checkOrigin(downloadUrl, status, trust);
  const isAccepted = isFileName(file_name) && !trust.secrets.areIn(file_name);
  return { downloadUrl, fileName: isAccepted ? file_name : undefined };
}

/**
 * Refuses a `download_url` unless its origin is that of the service or one that the app allows. Otherwise the service
 * could choose any source for the result, even the origin of the app.
 */
function checkOrigin({ origin }: URL, status: number, { service, downloadOrigins, secrets }: Trust): void {
  const isSecure = origin.startsWith("https:") || !service.startsWith("https:");
  if (isSecure && (origin === service || downloadOrigins.includes(origin))) return;
  const [place, details] = secrets.areIn(origin) ? ["another origin", {}] : [origin, { origin }];
  throw new ServiceError(
    "remote_failed",
    `The remote service has put its result at ${place}, ${
      isSecure
        ? `not at its own origin, ${service}. If that is correct, add it to the option "downloadOrigins".`
        : `without encryption, although the service itself uses https. The service must return an https URL.`
    }`,
    { status, ...details },
  );
}

/** Returns the error for an answer that is not successful. */
export async function failureOf(response: Response, secrets: Secrets): Promise<ServiceError> {
  const { status, type, redirected } = response;
  if (type === "opaqueredirect" || redirected || (status >= 300 && status < 400))
    return new ServiceError(
      "remote_failed",
      'The remote service redirects to another URL. No file is sent there. Check the option "baseUrl".',
      { status },
    );
  // The body only adds to the message. Its status is enough.
  const text = await readText(response).catch(() => undefined);
  const remoteError = parseError(text, secrets);
  const seconds = retryAfterOf(response);
  const details = { ...remoteError.details, status, ...(seconds !== undefined && { retry_after: seconds }) };
  const quotedMessage = remoteError.message === undefined ? "" : ` Its message: ${remoteError.message}`;
  const byStatus = STATUS_CODES[status];
  if (byStatus !== undefined)
    return new ServiceError(byStatus, `${SENTENCES[byStatus]}${quotedMessage}`, details);
  const isAccepted = remoteError.code === "timeout" ? status === 504 : status >= 400 && status < 500;
  if (remoteError.code !== undefined && isAccepted)
    return new ServiceError(
      remoteError.code,
      remoteError.message ?? `The remote service refused the file (${remoteError.code}).`,
      details,
    );
  return new ServiceError(
    "remote_failed",
    `The remote service failed with status ${status}.${quotedMessage}`,
    details,
  );
}

interface RemoteError {
  readonly code?: ErrorCode | undefined;
  readonly message?: string | undefined;
  readonly details?: ErrorDetails | undefined;
}

/** Reads the body of an error. Leaves out what may contain a secret. */
function parseError(text: string | undefined, secrets: Secrets): RemoteError {
  const error = asObject(parseObject(text ?? "")?.error);
  if (error === undefined) return {};
  const { message } = error;
  const isShown = typeof message === "string" && message.trim() !== "" && !secrets.areIn(message);
  return {
    code: ACCEPTED_CODES.find((code) => code === error.code),
    message: isShown ? message.slice(0, MESSAGE_LIMIT) : undefined,
    details: plainDetails(asObject(error.details) ?? {}, secrets),
  };
}

const TYPES: ReadonlyMap<string, string> = new Map(Object.entries(DETAIL_TYPES));

/** Returns the details of the remote service that are plain data, and those of a known name that have its type. */
function plainDetails(given: Readonly<Record<string, unknown>>, secrets: Secrets): ErrorDetails {
  const plain: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(given).slice(0, DETAILS_LIMIT)) {
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") continue;
    if ((TYPES.get(name) ?? typeof value) !== typeof value) continue;
    if (secrets.areIn(name) || secrets.areIn(String(value))) continue;
    plain[name.slice(0, MESSAGE_LIMIT)] = typeof value === "string" ? value.slice(0, MESSAGE_LIMIT) : value;
  }
  return plain;
}

/** Reads a body as text. Returns undefined if it is too long for an answer. */
async function readText(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; ; ) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || value === undefined) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > ANSWER_LIMIT_BYTES) {
      // The stream may fail meanwhile. The answer is refused anyway.
      reader?.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined;
    throw thrown;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** Returns a URL, unless it has a user or a password, which fetch refuses. */
function webUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username + url.password === "" ? url : undefined;
}

/**
 * Returns whether a name is a plain file name. Refuses paths, and characters that change how the name is displayed:
 * control and direction characters.
 */
function isFileName(name: string): boolean {
  return (
    name.length <= 255 &&
    name.trim() !== "" &&
    !/^\.+$/.test(name) &&
    !/[/\\\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(name)
  );
}
