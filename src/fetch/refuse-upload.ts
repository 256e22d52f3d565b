import { failed, OPERATION_METHODS } from "../http/response.ts";
import { ServiceError } from "../shared/errors.ts";
import { isPlatformError } from "../shared/failure.ts";
import { withUrl } from "./fetch-answer.ts";
import { isRequest, type Upload, type UploadRules } from "./uploads.ts";

/**
 * Returns the answer to an upload that the rules forbid: `remote_not_configured` for a form with a file to a service that
 * the app has not named, `remote_refused` for every other body under `remote: "never"`. Returns undefined if the request,
 * now that it has been read, is allowed. Rejects with the reason of the signal when aborted, like `fetch`.
 */
export async function refuseUpload(
  upload: Upload,
  { remote }: Pick<UploadRules, "remote">,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Promise<Response | undefined> {
  const signal = init?.signal ?? (isRequest(input) ? input.signal : undefined);
  signal?.throwIfAborted();
  const refuse = (error: ServiceError) => withUrl(upload.url, failed(error, "POST", OPERATION_METHODS));
  if (upload.unknownService !== undefined && (upload.isForm || (await isFormWithFile(input, init))))
    return refuse(notConfigured(upload.unknownService));
  if (remote !== "never" || !(await hasBody(input, init))) return undefined;
  return refuse(refused(upload.url));
}

/**
 * Returns whether the body is a form with a file. The form of a `Request` is read. Other bytes count as such a form when
 * their header says so: a stream could not be read twice.
 */
async function isFormWithFile(input: RequestInfo | URL, init: RequestInit | undefined): Promise<boolean> {
  const own = isRequest(input) ? input : undefined;
  const headers = init?.headers === undefined ? own?.headers : new Headers(init.headers);
  if (!/^multipart\/form-data\b/i.test(headers?.get("content-type")?.trim() ?? "")) return false;
  if (own === undefined || (init?.body ?? undefined) !== undefined) return true;
  try {
    const form = await own.clone().formData();
    return [...form.values()].some((value) => typeof value !== "string");
  } catch (thrown) {
    // WebKit cannot read the copy of a form with a file.
    if (isPlatformError(thrown)) return true;
    throw thrown;
  }
}

/** Returns whether a request has a body. Firefox does not tell whether a `Request` has one, so its copy is read. */
async function hasBody(input: RequestInfo | URL, init: RequestInit | undefined): Promise<boolean> {
  if ((init?.body ?? undefined) !== undefined || !isRequest(input) || input.body !== undefined) return true;
  return (await input.clone().blob()).size > 0;
}

function notConfigured(service: string): ServiceError {
  return new ServiceError(
    "remote_not_configured",
    `The file would go to a service that this app has not named. Set the option "baseUrl" of the client to ${service}.`,
  );
}

function refused(url: string): ServiceError {
  const { origin } = new URL(url);
  return new ServiceError(
    "remote_refused",
    `The request to ${origin} may carry a file, but this app does not let files leave the device. ` +
      'Add the origin to the option "allowUploads" if it may get files.',
    { origin },
  );
}
