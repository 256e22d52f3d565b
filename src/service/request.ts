import { OPERATIONS } from "../operations.ts";
import { ServiceError } from "../shared/errors.ts";
import { operationAt } from "./path.ts";

/** The entries of a form, in order. */
export type FormEntries = Iterable<[name: string, value: FormDataEntryValue]>;

/** What a request asks for: one call of an operation. */
export interface ServiceCall {
  readonly operation: keyof typeof OPERATIONS;
  /** The form's fields as they came; the operation checks them. */
  readonly params: Readonly<Record<string, unknown>>;
  /** What the request would show to the service. */
  readonly apiKey?: string;
}

/**
 * Reads a request to the service.
 *
 * @param path under the service's base
 * @param form the request's form, where it has not been made a body
 * @throws {ServiceError} `not_found`, `method_not_allowed`, `unsupported_input` for a body that is no form, and
 * `invalid_parameter` for a form that cannot be read, or not as it was typed
 */
export async function readCall(request: Request, path: string, form?: FormEntries): Promise<ServiceCall> {
  const operation = operationAt(path);
  if (operation === undefined)
    throw new ServiceError("not_found", `There is no operation at ${path.slice(0, 200)}.`);
  if (request.method !== "POST")
    throw new ServiceError("method_not_allowed", `${path} takes POST, not ${request.method}.`);
  const params = paramsOf(await readForm(request, form));
  if (form === undefined) checkEncoding(params, Object.keys(OPERATIONS[operation].fields));
  const apiKey = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  return { operation, params, ...(apiKey !== undefined && { apiKey }) };
}

const HOW_TO_SEND_UTF8 =
  'A page sends UTF-8 that has <meta charset="utf-8">, or a form with accept-charset="utf-8".';
/** Where bytes were no UTF-8, and what browsers send for a character that the page's encoding lacks. */
const OTHER_ENCODING = /\ufffd|&#\d{3,7};/;

/** A page in another encoding sends other texts than were typed: nobody would know the password of such a file. */
function checkEncoding(params: Readonly<Record<string, unknown>>, fields: readonly string[]): void {
  for (const parameter of fields) {
    const value = params[parameter];
    if (typeof value !== "string" || !OTHER_ENCODING.test(value)) continue;
    const message = `The field "${parameter}" did not come as it was typed: the form is not in UTF-8. ${HOW_TO_SEND_UTF8}`;
    throw new ServiceError("invalid_parameter", message, { parameter });
  }
}

async function readForm(request: Request, form: FormEntries | undefined): Promise<FormEntries> {
  const contentType = request.headers.get("content-type");
  if (form !== undefined && contentType === null) return form;
  // A header that the caller has set beside a form names no boundary: no service could read the body.
  if (form !== undefined || !/^multipart\/form-data\s*;.*boundary=/i.test(contentType ?? "")) {
    const [essence = ""] = (contentType ?? "none").split(";", 1);
    throw new ServiceError(
      "unsupported_input",
      `This takes a form, multipart/form-data with a boundary; the request's content-type is ${essence.slice(0, 80)}. ` +
        'Send a FormData and leave that header to the browser; an HTML form needs enctype="multipart/form-data".',
    );
  }
  try {
    return [...(await request.formData())].map(withNameAsItWas);
  } catch {
    const message = `The form cannot be read: it is cut off, malformed or not in UTF-8. ${HOW_TO_SEND_UTF8}`;
    throw new ServiceError("invalid_parameter", message, { parameter: "body" });
  }
}

/** On its way, a file's name has the characters escaped that would end it, and Chromium leaves them so. */
function withNameAsItWas([field, value]: [string, FormDataEntryValue]): [string, FormDataEntryValue] {
  if (typeof value === "string" || !/%(22|0a|0d)/i.test(value.name)) return [field, value];
  const name = value.name.replace(/%(22|0a|0d)/gi, decodeURIComponent);
  return [field, new File([value], name, { type: value.type })];
}

/** The fields of a form. One that is there several times, as ticked boxes of one name are, becomes a list. */
function paramsOf(form: FormEntries): Record<string, unknown> {
  const params = new Map<string, unknown>();
  for (const [name, value] of form) {
    // What a form says of a file that nobody chose.
    if (typeof value !== "string" && value.name === "" && value.size === 0) continue;
    params.set(name, params.has(name) ? [params.get(name), value].flat() : value);
  }
  return Object.fromEntries(params);
}
