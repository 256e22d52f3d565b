import type { CallOptions } from "../call-options.ts";
import type { ServiceResult } from "../downloads.ts";
import { fieldPolicy, OPERATIONS } from "../operations.ts";
import { ServiceError } from "../shared/errors.ts";
import { invalidParameter, isPlatformError } from "../shared/failure.ts";
import { knownValues } from "../shared/known-keys.ts";
import { checkFileCount, readFormData } from "./form-files.ts";
import { type OperationName, operationAt } from "./path.ts";

/** The operations, called with fields that are not checked yet. */
export type Methods = Readonly<
  Record<OperationName, (params: object, options?: ServiceCallOptions) => Promise<ServiceResult>>
>;

/** The options of a call that comes as a request to the service. */
export interface ServiceCallOptions extends CallOptions {
  /** The key of the request. The remote service gets it instead of the key of the client. */
  readonly apiKey?: string | undefined;
}

/** The entries of a form, in order. */
export type FormEntries = Iterable<[name: string, value: FormDataEntryValue]>;

/** A request to the service, as a call of an operation. */
export interface ServiceCall {
  readonly operation: OperationName;
  /** The fields of the form that the operation knows. It checks their values. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The key that the request carries for the service. */
  readonly apiKey?: string;
}

/**
 * Reads a request to the service.
 *
 * @param path the path under the base of the service
 * @param form the entries of the form. Default: those in the body of the request
 * @throws {ServiceError} `not_found`, `method_not_allowed`, `unsupported_input` for a body that is no form,
 *   `invalid_parameter` for a form that cannot be read, has the wrong encoding or too many files, and for a field of another operation that
 *   is not empty, or a misspelled one. Other fields are ignored: forms also send tokens and the names of buttons
 */
export async function readCall(request: Request, path: string, form?: FormEntries): Promise<ServiceCall> {
  const operation = operationAt(path);
  if (operation === undefined)
    throw new ServiceError("not_found", `There is no operation at ${path.slice(0, 200)}. Check the URL.`);
  if (request.method !== "POST")
    throw new ServiceError("method_not_allowed", `${path} takes POST, not ${request.method}.`);
  const known = Object.keys(OPERATIONS[operation].fields);
  const policy = fieldPolicy(operation, "ignored");
  // An app may have one form for several operations, whose other fields the user leaves empty.
  const isLeftEmpty = (name: string, value: unknown) =>
    value === "" && !known.includes(name) && policy.ownersOf(name).length > 0;
  const entries = Object.entries(paramsOf(await readForm(request, form)));
  const filled = entries.filter(([name, value]) => !isLeftEmpty(name, value));
  const params = Object.fromEntries(knownValues(Object.fromEntries(filled), known, policy));
  if (form === undefined) checkEncoding(params, request.mode === "navigate" ? CHANGED_BY_PAGE : undefined);
  const apiKey = keyIn(request.headers.get("authorization"));
  return { operation, params, ...(apiKey !== undefined && { apiKey }) };
}

/** Returns the key in a header `Authorization` (RFC 6750). */
export function keyIn(authorization: string | null | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
}

const HOW_TO_SEND_UTF8 = 'Add <meta charset="utf-8"> to the page, or accept-charset="utf-8" to the form.';
/** Matches bytes that were not UTF-8. */
const NO_UTF8 = /\ufffd/;
/** Also matches what browsers send for a character that the encoding of the page lacks. Only HTML forms have another encoding. */
const CHANGED_BY_PAGE = /\ufffd|&#\d{3,7};/;

/**
 * Throws if another encoding than UTF-8 has changed a text. Otherwise a file could be protected with a password that the
 * user never typed.
 *
 * @param changed matches what a change leaves. Default: what bytes become that are not UTF-8
 * @throws {ServiceError} `invalid_parameter`
 */
export function checkEncoding(params: Readonly<Record<string, unknown>>, changed = NO_UTF8): void {
  for (const [parameter, value] of Object.entries(params)) {
    const isWrong = (text: unknown) => typeof text === "string" && changed.test(text);
    if (![value].flat().some(isWrong)) continue;
    const message = `The text of the field "${parameter}" was changed, because the form is not in UTF-8. ${HOW_TO_SEND_UTF8}`;
    throw invalidParameter(parameter, message);
  }
}

async function readForm(request: Request, form: FormEntries | undefined): Promise<FormEntries> {
  const contentType = request.headers.get("content-type");
  if (form !== undefined && contentType === null) {
    const entries = [...form];
    checkFileCount(entries);
    return entries;
  }
  // If the caller sets the header for a form, it has no boundary. No service could read the body.
  if (form !== undefined || !/^multipart\/form-data\s*;.*boundary=/i.test(contentType ?? "")) {
    const [essence = ""] = (contentType ?? "none").split(";", 1);
    throw new ServiceError(
      "unsupported_input",
      `The request must be a form (multipart/form-data with a boundary), but its content-type is ${essence.slice(0, 80)}. ` +
        'Send a FormData without setting that header. An HTML form needs enctype="multipart/form-data".',
    );
  }
  try {
    const entries = [...(await readFormData(request))];
    checkFileCount(entries);
    return entries.map(unescapeFileName);
  } catch (thrown) {
    if (!isPlatformError(thrown)) throw thrown;
    const message = `The form cannot be read: it is cut off, malformed or not in UTF-8. ${HOW_TO_SEND_UTF8}`;
    throw invalidParameter("body", message);
  }
}

/** Undoes the escapes of a file name. Chromium leaves them. */
function unescapeFileName([field, value]: [string, FormDataEntryValue]): [string, FormDataEntryValue] {
  if (typeof value === "string" || !/%(22|0a|0d)/i.test(value.name)) return [field, value];
  return [field, new File([value], unescapedName(value.name), { type: value.type })];
}

/** Undoes the escapes of quotes and line breaks in a file name (HTML, "multipart/form-data"). */
export function unescapedName(name: string): string {
  return name.replace(/%(22|0a|0d)/gi, decodeURIComponent);
}

/** Returns the fields of a form. A field that occurs several times, such as files with one name, becomes a list. */
function paramsOf(form: FormEntries): Record<string, unknown> {
  const params = new Map<string, FormDataEntryValue[]>();
  for (const [name, value] of form) {
    // An empty file input: no file was chosen.
    if (typeof value !== "string" && value.name === "" && value.size === 0) continue;
    const list = params.get(name);
    if (list) list.push(value);
    else params.set(name, [value]);
  }
  return Object.fromEntries([...params].map(([name, list]) => [name, list.length > 1 ? list : list[0]]));
}
