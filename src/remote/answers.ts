import { type ErrorCode, type ErrorDetails, ServiceError } from "../shared/errors.ts";
import { retryAfterOf } from "./retries.ts";
import type { Secrets } from "./secrets.ts";

/** What the service answers when it has done its work. */
export interface Answer {
  /** An http or https URL. */
  readonly downloadUrl: URL;
  /** Undefined when a file cannot be called so. */
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

/** What an answer's status says, whatever else the answer holds. */
const STATUS_CODES: Readonly<Record<number, ErrorCode>> = {
  401: "unauthorized",
  403: "unauthorized",
  413: "input_too_large",
  429: "rate_limited",
};

/** What a service may say of a file and of what is wanted of it. Its other errors are not the caller's. */
const TAKEN_CODES: readonly ErrorCode[] = [
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
  unauthorized: "The remote service refused the key: check apiKey, and what the key is allowed.",
  input_too_large: "The file is larger than what the remote service takes.",
  rate_limited: "The remote service is asked too often: try again later.",
};

/**
 * Reads the answer to a request that succeeded.
 *
 * @throws {ServiceError} `remote_failed` when the answer violates the contract, or when its `download_url`
 *   has an origin that the app does not trust
 */
export async function readAnswer(response: Response, trust: Trust): Promise<Answer> {
  const { status } = response;
  const outside = (what: string) =>
    new ServiceError("remote_failed", `The remote service answered outside its contract: ${what}.`, {
      status,
    });
  const text = await readText(response).catch(() => {
    throw new ServiceError("remote_failed", "The remote service's answer broke off.", { status });
  });
  if (text === undefined) throw outside("the answer is too long");
  const answer = parseObject(text);
  if (answer === undefined) throw outside("the answer is no JSON object");
  if (answer.success !== true) throw outside(`"success" is not true, though the status is ${status}`);
  const { download_url, file_name } = answer;
  if (typeof file_name !== "string") throw outside('"file_name" is no text');
  const downloadUrl = typeof download_url === "string" ? webUrl(download_url) : undefined;
  if (downloadUrl === undefined) throw outside('"download_url" is no http or https URL');
  checkOrigin(downloadUrl, status, trust);
  return { downloadUrl, fileName: isFileName(file_name) ? file_name : undefined };
}

/**
 * Refuses a `download_url` unless its origin is the service's or one that the app names. The service could
 * otherwise choose the source of the result, even the app's own origin.
 */
function checkOrigin({ origin }: URL, status: number, { service, downloadOrigins, secrets }: Trust): void {
  const isSecure = origin.startsWith("https:") || !service.startsWith("https:");
  if (isSecure && (origin === service || downloadOrigins.includes(origin))) return;
  const [place, details] = secrets.areIn(origin) ? ["another origin", {}] : [origin, { origin }];
  throw new ServiceError(
    "remote_failed",
    `The remote service keeps its result at ${place}, ${
      isSecure
        ? `and not at its own origin, ${service}. If that is right, name it in the option "downloadOrigins".`
        : `without encryption, though the service itself uses https. It has to give an https URL.`
    }`,
    { status, ...details },
  );
}

/** The error behind an answer that is none of success. */
export async function failureOf(response: Response, secrets: Secrets): Promise<ServiceError> {
  const { status, type, redirected } = response;
  if (type === "opaqueredirect" || redirected || (status >= 300 && status < 400))
    return new ServiceError(
      "remote_failed",
      "The remote service redirects to another place, where no file is sent: check baseUrl.",
      { status },
    );
  const said = parseError(await readText(response).catch(() => undefined), secrets);
  const seconds = retryAfterOf(response);
  const details = { ...said.details, status, ...(seconds !== undefined && { retry_after: seconds }) };
  const spoken = said.message === undefined ? "" : ` It says: ${said.message}`;
  const byStatus = STATUS_CODES[status];
  if (byStatus !== undefined) return new ServiceError(byStatus, `${SENTENCES[byStatus]}${spoken}`, details);
  const isTaken = said.code === "timeout" ? status === 504 : status >= 400 && status < 500;
  if (said.code !== undefined && isTaken)
    return new ServiceError(
      said.code,
      said.message ?? `The remote service refused the file (${said.code}).`,
      details,
    );
  return new ServiceError(
    "remote_failed",
    `The remote service failed with status ${status}.${spoken}`,
    details,
  );
}

interface SaidError {
  readonly code?: ErrorCode | undefined;
  readonly message?: string | undefined;
  readonly details?: ErrorDetails | undefined;
}

/** What a service's error body says, as far as it can be shown. */
function parseError(text: string | undefined, secrets: Secrets): SaidError {
  const error = asObject(parseObject(text ?? "")?.error);
  if (error === undefined) return {};
  const { message } = error;
  const isShown = typeof message === "string" && message.trim() !== "" && !secrets.areIn(message);
  return {
    code: TAKEN_CODES.find((code) => code === error.code),
    message: isShown ? message.slice(0, MESSAGE_LIMIT) : undefined,
    details: plainDetails(asObject(error.details) ?? {}, secrets),
  };
}

function plainDetails(given: Readonly<Record<string, unknown>>, secrets: Secrets): ErrorDetails {
  const plain: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(given).slice(0, DETAILS_LIMIT)) {
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") continue;
    if (secrets.areIn(name) || secrets.areIn(String(value))) continue;
    plain[name.slice(0, MESSAGE_LIMIT)] = typeof value === "string" ? value.slice(0, MESSAGE_LIMIT) : value;
  }
  return plain;
}

/** A body as text; undefined when it is too long to be an answer. */
async function readText(response: Response): Promise<string | undefined> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = 0; ; ) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done || value === undefined) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > ANSWER_LIMIT_BYTES) {
      reader?.cancel().catch(() => {});
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** Without user and password, which fetch does not take. */
function webUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username + url.password === "" ? url : undefined;
}

/** Neither a path, nor anything that would be shown other than it is: control and direction characters. */
function isFileName(name: string): boolean {
  return (
    name.length <= 255 &&
    name.trim() !== "" &&
    !/^\.+$/.test(name) &&
    !/[/\\\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(name)
  );
}
