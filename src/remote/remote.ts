import ky, { HTTPError, type Options } from "ky";
import type { Downloads, ServiceResult } from "../downloads.ts";
import type { CallOptions } from "../pool/worker-slot.ts";
import { sendOwn } from "../service/own-requests.ts";
import { PAST_SERVICE_WORKER } from "../service/path.ts";
import { ServiceError } from "../shared/errors.ts";
import { outOfMemory } from "../shared/failure.ts";
import { FORMATS, formatNamed, ZIP } from "../shared/formats.ts";
import { isStored } from "../shared/read-blob.ts";
import { throttledReport } from "../shared/throttled-report.ts";
import { failureOf, readAnswer } from "./answers.ts";
import type { RemoteJob } from "./job.ts";
import { checkOptions, type RemoteOptions } from "./options.ts";
import { readResult } from "./result.ts";
import { retries } from "./retries.ts";
import { Secrets } from "./secrets.ts";
import { fetchWithProgress } from "./upload.ts";

/** The parts of a client that a call of the remote service uses. */
export interface Caller extends RemoteOptions {
  /** The URL of the operation. */
  readonly url: string;
  /** The `fetch` of the platform. The app may replace the global one later. */
  readonly platformFetch: typeof fetch;
  readonly downloads: Downloads;
  /** Aborted when the client is closed. */
  readonly closing: AbortSignal;
  /** Returns a name for a result of this MIME type, if the service gives no valid one. */
  fileName(type: string): string;
}

/**
 * Sends a file to the remote service, and returns the result.
 *
 * @throws {ServiceError} `remote_refused`, `unauthorized`, `input_too_large`, `rate_limited`, `timeout`, `offline`,
 *   `remote_failed`, and the errors of the service about the file. An aborted call rejects with `signal.reason`
 */
export async function convertRemotely(
  job: RemoteJob,
  { signal, onProgress }: CallOptions,
  caller: Caller,
): Promise<ServiceResult> {
  const { timeout, link, downloadOrigins, maxResultBytes } = checkOptions(caller);
  const ending = new AbortController();
  const settled = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const endWith = (other: AbortSignal) => {
    if (other.aborted) ending.abort(other.reason);
    other.addEventListener("abort", () => ending.abort(other.reason), { signal: settled.signal });
  };
  const report = throttledReport((progress) => {
    if (ending.signal.aborted) return;
    try {
      onProgress?.(progress);
    } catch (thrown) {
      // An error of the callback ends the call.
      ending.abort(thrown);
    }
  });

  /** Sends the file and downloads the result. The app has allowed it. */
  async function send(): Promise<ServiceResult> {
    const deadline = Date.now() + timeout;
    timer = setTimeout(() => ending.abort(tooLate(timeout)), timeout);
    const secrets = new Secrets(caller.apiKey, job.fields.password);
    const service = new URL(caller.url).origin;
    const transport: typeof fetch = (...request) => sendOwn(caller.fetch ?? caller.platformFetch, ...request);
    const authorize = async (request: Request) => {
      if (new URL(request.url).origin !== service) return;
      if (service === globalThis.location?.origin) request.headers.set(PAST_SERVICE_WORKER, "1");
      await secrets.authorize(request);
    };
    const exchange = async (url: URL | string, options: Options) => {
      const response = await ky(url, {
        timeout: false,
        // A redirect would send the file to another place. With "error", a redirect looks like a network failure, which
        // is retried.
        redirect: "manual",
        cache: "no-store",
        // The request has the key and the file, but no cookie, no client certificate and no stored password.
        credentials: "omit",
        signal: ending.signal,
        retry: retries(() => deadline - Date.now()),
        hooks: {
          beforeRequest: [(request) => authorize(request)],
        },
        fetch: transport,
        ...options,
      }).catch(async (thrown: unknown) => {
        throw thrown instanceof HTTPError
          ? await failureOf(thrown.response, secrets)
          : thrown instanceof ServiceError
            ? thrown
            : await unreachable(service, job.file);
      });
      // A transport that the app provides may follow redirects despite `redirect: "manual"`.
      if (response.redirected) throw await failureOf(response, secrets);
      return response;
    };

    const body = formOf(job);
    const { size } = job.file;
    const upload = {
      sent: (bytes: number) => report("uploading", Math.min(bytes, size), size),
      done: () => report("working", 0, 0),
    };
    upload.sent(0);
    // The transport of an app gets plain requests: it may not support streams.
    const withProgress = caller.fetch === undefined && { fetch: fetchWithProgress(transport, body, upload) };
    const response = await exchange(caller.url, { method: "post", body, ...withProgress });
    const { downloadUrl, fileName } = await readAnswer(response, { service, downloadOrigins, secrets });
    const named = (type: string, ...extensions: readonly string[]) => {
      const isFitting = fileName !== undefined && extensions.includes(extensionOf(fileName));
      return isFitting ? fileName : caller.fileName(type);
    };
    if (link) {
      const file_name = named(FORMATS[job.to].mime, job.to, "zip");
      return { success: true, download_url: downloadUrl.href, file_name };
    }
    const download = await exchange(downloadUrl, { method: "get" });
    const file = await readResult(download, job.to, maxResultBytes, (bytes, total) =>
      report("downloading", bytes, total),
    );
    if (!(await isStored(file))) throw outOfMemory();
    ending.signal.throwIfAborted();
    return caller.downloads.createResult(file, named(file.type, file.type === ZIP ? "zip" : job.to));
  }

  endWith(caller.closing);
  // Untyped apps may pass null, as they may to fetch.
  if (signal) endWith(signal);
  const aborted = new Promise<never>((_, reject) => {
    ending.signal.addEventListener("abort", () => reject(ending.signal.reason));
  });
  try {
    ending.signal.throwIfAborted();
    onProgress?.({ phase: "queued", done: 0, total: 0 });
    await Promise.race([askPermission(job, caller), aborted]);
    return await Promise.race([send(), aborted]);
  } finally {
    clearTimeout(timer);
    settled.abort();
  }
}

async function askPermission({ file, from, to }: RemoteJob, { url, onRemote }: Caller): Promise<void> {
  if (onRemote === undefined) return;
  const answer = await Promise.resolve({ url, file, from, to, output_format: to })
    .then(onRemote)
    .catch(() => false);
  if (answer === false)
    throw new ServiceError(
      "remote_refused",
      "The app or its user did not allow the file to leave the device.",
      { from, to },
    );
}

/** Returns the form: the file, with the extension of its content, and the fields. */
function formOf({ file, name, from, to, fields }: RemoteJob): FormData {
  const form = new FormData();
  form.append("file", file.slice(0, file.size, FORMATS[from].mime), `${name}.${from}`);
  form.append("output_format", to);
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined && !form.has(field)) form.append(field, String(value));
  }
  return form;
}

/** Returns the extension of a file name. `jpeg` becomes `jpg`. */
function extensionOf(fileName: string): string {
  const extension = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? "";
  return formatNamed(extension) ?? extension;
}

function tooLate(timeout: number): ServiceError {
  return new ServiceError(
    "timeout",
    `The remote service took longer than ${timeout} ms. Try a smaller file, or increase the option "timeout".`,
    { timeout },
  );
}

/** Returns the error for a request without an answer. Browsers do not give pages the reason. */
async function unreachable(service: string, file: Blob): Promise<ServiceError> {
  if (globalThis.navigator?.onLine === false)
    return new ServiceError(
      "offline",
      "This conversion needs the remote service, but the device is offline. Connect and try again.",
    );
  if (!(await isStored(file)))
    return new ServiceError(
      "damaged_file",
      "The file cannot be read: it was changed, moved or removed since it was chosen. Choose it again.",
    );
  return new ServiceError(
    "remote_failed",
    `${service} did not answer. It may be down, or it does not allow this page to call it (CORS). Try again later.`,
  );
}
