import { abortable } from "./abortable.ts";
import type { RemoteSettings } from "./conversions.ts";
import { Downloads, type ServiceResult } from "./downloads.ts";
import { createFetch, type Fetch } from "./fetch/fetch.ts";
import { type Field, type Fields, readFields } from "./fields.ts";
import { baseName, OPERATIONS, type Operation } from "./operations.ts";
import { createDefaultWorker } from "./pool/default-worker.ts";
import type { Pool } from "./pool/pool.ts";
import type { CallOptions, WorkerSource } from "./pool/worker-slot.ts";
import type { RemoteOptions } from "./remote/options.ts";
import type { Methods, ServiceCallOptions } from "./service/methods.ts";
import { ServiceError } from "./shared/errors.ts";
import { importChunk, outOfMemory } from "./shared/failure.ts";
import type { FormatId } from "./shared/formats.ts";
import type { Permission } from "./shared/protocol.ts";
import { isStored, readBytes } from "./shared/read-blob.ts";

/** What a policy of the app says of an address (Trusted Types), which TypeScript's own library does not know. */
export interface TrustedScriptURL {
  toJSON(): string;
}

/** How a client works. All of it is optional. */
export interface ClientOptions extends RemoteOptions {
  /** The remote service's URL, which only office conversions need. */
  readonly baseUrl?: string | undefined;
  /** `"never"`: no file leaves the device, and office conversions are refused. Default `"office"`. */
  readonly remote?: "office" | "never" | undefined;
  /** How many files are worked on at a time. Default: one for each processor, 4 at most. */
  readonly maxWorkers?: number | undefined;
  /** Where the worker's code is served, for bundlers that do not find it by themselves. */
  readonly workerUrl?: string | URL | TrustedScriptURL | undefined;
  /**
   * PDF to image: the folder where the app serves the files of the packages `@embedpdf/fonts-…`, for documents that
   * write Chinese, Japanese, Korean and others in fonts that they do not hold. Default: `fonts/` beside the worker.
   * What is not there is told by `onProgress`. Relative to the page's base, as it is when the client is made.
   */
  readonly fontUrl?: string | URL | undefined;
  /** Makes the worker, for apps that must do so themselves. It must run `stayput/worker`. */
  readonly createWorker?: (() => Worker) | undefined;
}

/** A format that `convert` writes, here or by the remote service. Case does not matter. */
export type OutputFormat = Exclude<FormatId, "heic" | "gif" | "bmp"> | "jpeg";

/** The form fields of `convert`. */
export interface ConvertParams {
  readonly file: Blob;
  readonly output_format: OutputFormat | (string & Record<never, never>);
  /** Of a lossy image, 0 to 1. */
  readonly quality?: number | undefined;
  /** PDF to image: dots per inch. Default 150. */
  readonly dpi?: number | undefined;
  /** Which pages of a PDF, or which images of a HEIC: `1,3-5`. Default all. */
  readonly pages?: string | undefined;
  /** The color behind transparent parts, where the output has none, and of a PDF's paper. Default white. */
  readonly background?: string | undefined;
  /** Image to PDF. Default `"fit"`. */
  readonly page_size?: "fit" | "a4" | "letter" | undefined;
  /** Keep what an image says beside its pixels: place, time, camera. Default false. */
  readonly keep_metadata?: boolean | undefined;
  /** The largest acceptable JPG or WEBP, in bytes. */
  readonly max_bytes?: number | undefined;
  /** Opens a protected PDF. */
  readonly password?: string | undefined;
}

/** The form fields of `protect-pdf`. */
export interface ProtectParams {
  readonly file: Blob;
  /** Opens the protected file. At most 127 bytes of UTF-8, and not empty. */
  readonly password: string;
  /** Opens it without restrictions. Random when absent. */
  readonly owner_password?: string | undefined;
  /** What someone with the password may do. Default everything. */
  readonly permissions?: readonly Permission[] | undefined;
}

/** The form fields of `unlock-pdf`. */
export interface UnlockParams {
  readonly file: Blob;
  /** The user or the owner password; it may be empty. */
  readonly password: string;
}

/** The form fields of `split-pdf`. */
export interface SplitParams {
  readonly file: Blob;
  /**
   * Items with commas between, each of which becomes one PDF: `7`, `3-5`, `5-` (to the end), `9-7` (reversed),
   * `last`, `odd`, `even`, `all` (every page by itself).
   */
  readonly pages: string;
  /** Opens a protected PDF. */
  readonly password?: string | undefined;
}

/**
 * The service's operations, done on this device. Every method rejects with a {@link ServiceError}, with
 * `signal.reason` when aborted, and with an `AbortError` once the client is closed.
 */
export interface Client {
  /** Converts a file: from or to office formats by the remote service. Repairs a PDF when the output is a PDF. */
  convert(params: ConvertParams, options?: CallOptions): Promise<ServiceResult>;
  /** Encrypts a PDF (AES-256), so that it opens with a password only. */
  protectPdf(params: ProtectParams, options?: CallOptions): Promise<ServiceResult>;
  /** Decrypts a PDF, given its password. */
  unlockPdf(params: UnlockParams, options?: CallOptions): Promise<ServiceResult>;
  /** Takes pages out of a PDF: a zip with one PDF for each item of `pages`. */
  splitPdf(params: SplitParams, options?: CallOptions): Promise<ServiceResult>;
  /**
   * A drop-in for `fetch`, for an app that is written for the service: what goes to `/api/<operation>` under `baseUrl`
   * (or, without one, under this page's origin) is answered on this device, with a `Response` as the service's; the
   * rest goes to the platform's `fetch` as it is. Needs no `this`.
   *
   * @example
   * const { fetch } = createClient({ baseUrl });
   * const response = await fetch(`${baseUrl}/api/split-pdf`, { method: "POST", body: form });
   * const { download_url, file_name } = await response.json();
   */
  fetch: Fetch;
  /**
   * Has this page do the work of the app's service worker, which answers with `serve` of `stayput/service-worker`,
   * until the client is closed.
   *
   * @returns once the page's requests go through the service worker: before, they go to the network
   */
  answerServiceWorker(): Promise<void>;
  /**
   * Returns a token for the forms of this page. The service worker needs it when the page sends no referrer
   * (`Referrer-Policy: no-referrer`). The token is valid while the page is shown.
   *
   * @throws {ServiceError} `internal_error` where service workers are unavailable
   *
   * @example
   * form.action = `/api/split-pdf?stayput_token=${await client.formToken()}`;
   */
  formToken(): Promise<string>;
  /**
   * Erases all results: the files of this client, as `release` does, and the results that the service workers
   * of this origin have stored. Call it when a user signs out. Running calls of this client continue; `close`
   * ends them.
   *
   * @throws {ServiceError} `internal_error` when the browser refuses
   */
  clearDownloads(): Promise<void>;
  /** Lets a result's file go; its `download_url` ends. */
  release(result: Pick<ServiceResult, "download_url">): void;
  /** Lets all files go and ends all work, for good. */
  close(): void;
}

/** To read all of a file up to this size takes hardly longer than to read what tells its format. */
const SMALL_FILE = 2 * 1024 * 1024;
/** Of more calls at a time, one may wait for a worker, and what was read for it would wait in memory. */
const MOST_CALLS_READ = 4;

/**
 * Makes a client. Nothing starts before its first call.
 *
 * @throws {ServiceError} `invalid_parameter`, for an option that cannot be right
 *
 * @example
 * const client = createClient();
 * const result = await client.splitPdf({ file, pages: "1,3-5" }, { signal, onProgress });
 * link.href = result.download_url; // blob:…
 * link.download = result.file_name; // split-report.zip
 */
export function createClient(options: ClientOptions = {}): Client {
  const settings = remoteSettings(options);
  const poolOptions = {
    source: workerSource(options),
    maxWorkers: maxWorkers(options),
    fontUrl: fontUrl(options),
  };
  const downloads = new Downloads();
  const closing = new AbortController();
  // Kept from now: an app may put the client's own in its place.
  const platformFetch = globalThis.fetch;
  let pool: Pool | undefined;
  let callsUnderWay = 0;

  function call<F extends Fields & { readonly file: Field<Blob> }>(
    ...request: Parameters<typeof answer<F>>
  ): Promise<ServiceResult> {
    callsUnderWay++;
    const work = answer(...request).finally(() => callsUnderWay--);
    // Neither a file that comes slowly nor code that is loaded hears a signal.
    const signals = [closing.signal, request[2]?.signal];
    return abortable(work, signals, (late) => downloads.release(late));
  }

  async function answer<F extends Fields & { readonly file: Field<Blob> }>(
    operation: Operation<F>,
    params: object,
    callOptions: ServiceCallOptions = {},
  ): Promise<ServiceResult> {
    const throwIfOver = () => {
      closing.signal.throwIfAborted();
      callOptions.signal?.throwIfAborted();
    };
    throwIfOver();
    const values = readFields(operation.fields, params);
    const { file } = values;
    const name = baseName(file);
    const isReadHere = operation.readsFirst && file.size <= SMALL_FILE && callsUnderWay <= MOST_CALLS_READ;
    let content = isReadHere ? await readBytes(file) : undefined;
    const { detectFormat } = await importChunk(import("./shared/format-detection.ts"));
    const format = await detectFormat(content ?? file);
    throwIfOver();
    const job = operation.job(values, { name, format }, settings);
    if (job.engine === "remote") {
      const { convertRemotely } = await importChunk(import("./remote/remote.ts"));
      return convertRemotely(job, callOptions, {
        ...options,
        ...(callOptions.apiKey !== undefined && { apiKey: callOptions.apiKey }),
        url: settings.baseUrl + operation.path,
        platformFetch,
        closing: closing.signal,
        downloads,
        fileName: (type) => operation.fileName(name, values, type),
      });
    }
    // With comlink, code that the page need not load before there is a job.
    const { Pool } = await importChunk(import("./pool/pool.ts"), "internal_error");
    pool ??= new Pool(poolOptions);
    for (let attempt = 1; attempt <= 2; attempt++) {
      throwIfOver();
      const made = await pool.run({ ...job, content }, callOptions);
      content = undefined;
      callOptions.onProgress?.({ phase: "writing", done: 0, total: made.size });
      throwIfOver();
      const storing = isStored(made);
      // Making a URL takes time, which the browser needs to store.
      const result = downloads.offer(made, operation.fileName(name, values, made.type));
      if (await storing) return result;
      downloads.release(result);
    }
    throw outOfMemory();
  }

  const methods: Methods = {
    convert: (params, callOptions) => call(OPERATIONS.convert, params, callOptions),
    protectPdf: (params, callOptions) => call(OPERATIONS.protectPdf, params, callOptions),
    unlockPdf: (params, callOptions) => call(OPERATIONS.unlockPdf, params, callOptions),
    splitPdf: (params, callOptions) => call(OPERATIONS.splitPdf, params, callOptions),
  };

  return {
    ...methods,
    fetch: createFetch(methods, settings.baseUrl, platformFetch),
    answerServiceWorker: async () => {
      const { signal } = closing;
      signal.throwIfAborted();
      const work = pagePart().then((page) =>
        page.answerServiceWorker(methods, downloads, signal, options.apiKey !== undefined),
      );
      // The service worker may never come.
      return abortable(work, [signal]);
    },
    formToken: () => pagePart().then((page) => page.formToken()),
    clearDownloads: () => {
      downloads.releaseAll();
      return pagePart().then((page) => page.clearDownloads());
    },
    release: (result) => downloads.release(result),
    close: () => {
      closing.abort(new DOMException("The client is closed.", "AbortError"));
      pool?.close(closing.signal.reason);
      downloads.releaseAll();
    },
  };
}

/** Loads the code that only a page with a service worker needs. */
const pagePart = () => importChunk(import("./service-worker/working-page.ts"), "internal_error");

function workerSource({ createWorker, workerUrl }: ClientOptions): WorkerSource {
  if (createWorker !== undefined) return { create: createWorker, place: "createWorker" };
  if (workerUrl === undefined)
    return { create: createDefaultWorker, place: "worker.js beside Stayput's index.js (see workerUrl)" };
  // Handed on as it is: made a text, it would be trusted no more.
  const url = workerUrl as string;
  return { create: () => new Worker(url, { type: "module" }), place: String(url) };
}

function maxWorkers({ maxWorkers }: ClientOptions): number | undefined {
  if (maxWorkers === undefined || (Number.isInteger(maxWorkers) && maxWorkers > 0)) return maxWorkers;
  throw wrongOption("maxWorkers", "a whole number from 1");
}

/** Absolute, from now on: an app of one page may give the page another address later. */
function fontUrl({ fontUrl }: ClientOptions): string | undefined {
  if (fontUrl === undefined) return undefined;
  // As browsers resolve `workerUrl`. A worker made of a Blob has only its page's origin to go by.
  const base = globalThis.document?.baseURI ?? globalThis.location?.href.replace("blob:", "");
  // Without a page there is nothing to go by, and nobody draws.
  if (base === undefined) return undefined;
  try {
    return new URL(fontUrl, base).href;
  } catch {
    throw wrongOption("fontUrl", "a URL, and an absolute one where the page has none");
  }
}

function remoteSettings({ baseUrl, remote = "office" }: ClientOptions): RemoteSettings {
  if (remote !== "office" && remote !== "never") throw wrongOption("remote", '"office" or "never"');
  if (baseUrl === undefined) return { baseUrl, remote };
  try {
    const { protocol, href, username, password, search, hash } = new URL(baseUrl);
    if (/^https?:$/.test(protocol) && username + password + search + hash === "")
      return { baseUrl: href.replace(/\/+$/, ""), remote };
  } catch {
    // Not a URL at all: the same as a wrong one.
  }
  throw wrongOption("baseUrl", "an http or https URL without user, query and fragment");
}

function wrongOption(parameter: string, expected: string): ServiceError {
  return new ServiceError("invalid_parameter", `The option "${parameter}" must be ${expected}.`, {
    parameter,
  });
}
