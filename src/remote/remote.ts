import type { CallOptions } from "../call-options.ts";
import type { ClientResult } from "../downloads.ts";
import { sendOwn } from "../http/own-requests.ts";
import { type PageCaller, type PageWork, runOnPage } from "../run-on-page.ts";
import { ServiceError } from "../shared/errors.ts";
import { outOfMemory } from "../shared/failure.ts";
import { FORMATS, type FormatId, formatNamed, ZIP } from "../shared/formats.ts";
import { isStored } from "../shared/read-blob.ts";
import type { Report } from "../shared/throttled-report.ts";
import { readAnswer } from "./answers.ts";
import { exchanger } from "./exchange.ts";
import type { CheckedOptions } from "./options.ts";
import { readResult } from "./result.ts";
import { Secrets } from "./secrets.ts";
import { fetchWithForm } from "./upload.ts";

/** A conversion for the remote service. */
export interface RemoteJob {
  readonly engine: "remote";
  readonly file: Blob;
  /** The name of the file without its extension. */
  readonly name: string;
  readonly from: FormatId;
  readonly to: FormatId;
  /** The form fields, by the names of the service. Undefined fields are not sent. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The parts of a client that a call of the remote service uses. */
export interface Caller extends CheckedOptions, PageCaller {
  /** The URL of the operation. */
  readonly url: string;
  /** The `fetch` of the platform. The app may replace the global one later. */
  readonly platformFetch: typeof fetch;
  /** Returns a name for a result of this MIME type, if the service gives no valid one. */
  fileName(type: string): string;
}

/**
 * Sends a file to the remote service, and returns the result.
 *
 * @throws {ServiceError} `remote_refused`, `unauthorized`, `input_too_large`, `rate_limited`, `timeout`, `offline`,
 *   `remote_failed`, and the errors of the service about the file. An aborted call rejects with `signal.reason`
 */
export function convertRemotely(job: RemoteJob, options: CallOptions, caller: Caller): Promise<ClientResult> {
  const work = async ({ signal, report, end, throwIfEnded }: PageWork) => {
    await askPermission(job, caller);
    throwIfEnded();
    // The time for the user's decision does not count.
    const timer = setTimeout(() => end(tooLate(caller.timeout)), caller.timeout);
    signal.addEventListener("abort", () => clearTimeout(timer));
    return sendAndDownload(job, caller, signal, report);
  };
  return runOnPage(work, options, caller);
}

/** Sends the file and downloads the result. The app has allowed it. */
async function sendAndDownload(
  job: RemoteJob,
  caller: Caller,
  signal: AbortSignal,
  report: Report,
): Promise<ClientResult> {
  const { timeout, remoteDownloads, downloadOrigins, maxResultBytes } = caller;
  const deadline = Date.now() + timeout;
  const { file: input, to } = job;
  const service = new URL(caller.url).origin;
  const secrets = new Secrets(caller.apiKey, job.fields.password);
  const transport: typeof fetch = (...request) => sendOwn(caller.fetch ?? caller.platformFetch, ...request);
  const timeLeft = () => deadline - Date.now();
  const exchange = exchanger({ service, secrets, file: input, transport, signal, timeLeft });

  const form = formOf(job);
  const upload = {
    sent: (bytes: number) => report("uploading", Math.min(bytes, input.size), input.size),
    done: () => report("working", 0, 0),
  };
  upload.sent(0);
  // The transport of an app gets plain requests: it may not support streams.
  const send = fetchWithForm(transport, form, caller.fetch === undefined ? upload : undefined);
  const response = await exchange(caller.url, { method: "post", fetch: send });
  const { downloadUrl, fileName } = await readAnswer(response, { service, downloadOrigins, secrets });
  const named = (type: string, ...extensions: readonly string[]) => {
    const isFitting = fileName !== undefined && extensions.includes(extensionOf(fileName));
    return isFitting ? fileName : caller.fileName(type);
  };
  if (remoteDownloads === "link") {
    return caller.downloads.resultAt(downloadUrl.href, named(FORMATS[to].mime, to, "zip"));
  }
  const download = await exchange(downloadUrl, { method: "get" });
  const file = await readResult(download, to, maxResultBytes, (bytes, total) =>
    report("downloading", bytes, total),
  );
  if (!(await isStored(file))) throw outOfMemory();
  signal.throwIfAborted();
  return caller.downloads.createResult(file, named(file.type, file.type === ZIP ? "zip" : to));
}

async function askPermission({ file, from, to }: RemoteJob, { url, onRemote }: Caller): Promise<void> {
  if (onRemote === undefined) return;
  const answer = await Promise.resolve({ url, file, from, to, output_format: to })
    .then(onRemote)
    // Any error of the app's function counts as a refusal.
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
    "The remote service took too long. Try a smaller file, or try again later.",
    { timeout },
  );
}
