import { serviceElsewhere } from "../http/path.ts";

/** Which requests with a file a client passes on to the platform. */
export interface UploadRules {
  readonly baseUrl: string | undefined;
  readonly remote: "office" | "never";
  /** The origins that may get files. */
  readonly allowUploads: readonly string[];
}

/** A request that may carry a file to a place that must not get it. */
export interface Upload {
  readonly url: string;
  /** The base of the unknown service that would get the form, if any. */
  readonly unknownService: string | undefined;
  /** Whether the body is known to be a form with a file. Otherwise its kind shows only when it is read. */
  readonly isForm: boolean;
}

/**
 * Returns the upload that a request is, or may be, if the rules do not allow it. Reads no body, so that allowed requests
 * go on at once.
 *
 * @param url the URL of the request: absolute, or empty if the platform refuses it
 */
export function forbiddenUpload(
  url: string,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  { baseUrl, remote, allowUploads }: UploadRules,
): Upload | undefined {
  if (url === "" || allowUploads.includes(new URL(url).origin)) return undefined;
  const unknownService = baseUrl === undefined ? serviceElsewhere(url) : undefined;
  if (unknownService === undefined && remote !== "never") return undefined;
  const body = init?.body ?? (isRequest(input) ? bodyOf(input) : undefined);
  return mayHaveFile(body) ? { url, unknownService, isForm: isForm(body) } : undefined;
}

/** Returns whether the input of `fetch` is a `Request`, also of another realm. */
export function isRequest(input: RequestInfo | URL): input is Request {
  return typeof input === "object" && "url" in input;
}

/** Returns the body of a request. Firefox does not tell whether there is one: then it is the request itself. */
function bodyOf(request: Request): unknown {
  if (request.body !== undefined) return request.body;
  return /^(GET|HEAD)$/.test(request.method) ? null : request;
}

/** Returns whether a body may have a file: every body but text, a URL-encoded form, and a form of texts. */
function mayHaveFile(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false;
  if (isForm(body)) return [...body.values()].some((value) => typeof value !== "string");
  return !isOf("URLSearchParams", body);
}

function isForm(body: unknown): body is FormData {
  return isOf("FormData", body);
}

/** Returns whether a value is an instance of a class of the platform, also of another realm. */
function isOf(name: string, value: unknown): boolean {
  return Object.prototype.toString.call(value) === `[object ${name}]`;
}
