import { abortable } from "./abortable.ts";
import { type CallOptions, readCallOptions } from "./call-options.ts";
import type { CallHost } from "./calls.ts";
import type { Place } from "./choose-converter.ts";
import { CLIENT_OPTIONS, checkSealed } from "./client-options.ts";
import type { Converter } from "./converter/converter.ts";
import { type ClientResult, Downloads, type ServiceResult } from "./downloads.ts";
import { createFetch, type Fetch } from "./fetch/fetch.ts";
import { type OperationName, ofEachOperation } from "./http/path.ts";
import type { Methods, ServiceCallOptions } from "./http/request.ts";
import type { InspectParams } from "./inspect.ts";
import type {
  CleanParams,
  CompressParams,
  ConvertParams,
  MergeParams,
  OutputFormat,
  ProtectParams,
  SplitParams,
  UnlockParams,
} from "./operation-params.ts";
import type { Pool } from "./pool/pool.ts";
import type { TrustedScriptURL } from "./pool/worker-source.ts";
import type { ReadTextParams } from "./read-text.ts";
import type { Receipt } from "./receipt.ts";
import type { RemoteOptions } from "./remote/options.ts";
import type { RenderParams } from "./render-pages.ts";
import { ServiceError } from "./shared/errors.ts";
import { importChunk } from "./shared/failure.ts";
import type { FormatId } from "./shared/formats.ts";
import { type ReadersOf, readOptions } from "./shared/options.ts";
import type { Inspection, PageText, RenderedPage, SplitPart } from "./shared/protocol.ts";

/** The options of a client. All are optional. */
export interface ClientOptions extends RemoteOptions {
  /** The URL of the remote service. Only office conversions need it. Default: none. */
  readonly baseUrl?: string | undefined;
  /**
   * `"never"`: no file leaves the device. Office conversions that no converter does on the device are refused, and `client.fetch` passes on a request only if it
   * has no body, a text, a `URLSearchParams` or a form without a file, and refuses all others. Default: `"office"`.
   */
  readonly remote?: "office" | "never" | undefined;
  /**
   * The origins that may get files by `client.fetch`, such as `["https://files.example"]`: the app's own servers. Under
   * `remote: "never"`, files go nowhere else. Conversions never go there. Default: none.
   */
  readonly allowUploads?: readonly (string | URL)[] | undefined;
  /**
   * Engines of the app for pairs of formats that the device does not convert. The first one with the pair is used, before
   * the remote service, which never repeats what a converter could not do. Default: none.
   */
  readonly converters?: readonly Converter[] | undefined;
  /** How many workers run at the same time. Default: one for each processor, at most 4. */
  readonly maxWorkers?: number | undefined;
  /**
   * The folder where the app serves the files of Stayput: `worker.js`, codecs, WebAssembly and `fonts/`. `npx stayput copy`
   * fills it. For bundlers that do not copy the files, and for files on another origin. A relative URL is resolved when
   * the client is created, against the base of the page. Default: where the bundler put the files, or beside `index.js`.
   */
  readonly assetUrl?: string | URL | undefined;
  /** The URL of `worker.js`, if it is not in `assetUrl`, or is a `TrustedScriptURL`. Default: in `assetUrl`. */
  readonly workerUrl?: string | URL | TrustedScriptURL | undefined;
  /**
   * PDF to image: the folder where the app serves the files of the packages `@embedpdf/fonts-…`. Documents in Chinese,
   * Japanese, Korean and other languages need them if they do not contain their fonts. A relative URL is resolved like
   * `assetUrl`. Default: `fonts/` in `assetUrl`, or beside the worker. `onProgress` reports missing fonts.
   */
  readonly fontUrl?: string | URL | undefined;
  /**
   * Creates the worker, for bundlers that look for workers in the code of the app only, and for an app's own worker that
   * imports `stayput/worker`. If the bundler does not copy the files that the worker loads, set `assetUrl`, too.
   *
   * @example
   * createWorker: () => new Worker(new URL("stayput/worker", import.meta.url), { type: "module" })
   */
  readonly createWorker?: (() => Worker) | undefined;
  /**
   * Whether the workers run in a frame that the browser lets send nothing, so that no file can leave by them, even if a codec were
   * hostile. Needs `assetUrl`, and `sealed.html` there; not with `createWorker` or `workerUrl`. Where the browser or the page
   * does not allow it, calls fail with `sealed_unavailable`: nothing runs unsealed. Default: false.
   */
  readonly sealed?: boolean | undefined;
}

/**
 * The operations of the service, on this device. Every method rejects with a {@link ServiceError}, or with
 * `signal.reason` if the call is aborted. One client serves the whole app: its workers start with the first call and end
 * by themselves when they are idle.
 */
export interface Client {
  /**
   * Converts a file. The remote service converts office formats. PDF to PDF repairs a file, and PDF to `txt` reads its text.
   *
   * @example
   * const { download_url } = await client.convert({ file, output_format: "jpg", quality: 0.8 });
   */
  convert(params: ConvertParams, options?: CallOptions): Promise<ClientResult>;
  /**
   * Encrypts a PDF with AES-256. The result opens with the password only, or for everyone with an empty password and
   * restrictions.
   *
   * @example
   * await client.protectPdf({ file, password: "secret", permissions: ["print"] });
   */
  protectPdf(params: ProtectParams, options?: CallOptions): Promise<ClientResult>;
  /**
   * Decrypts a PDF.
   *
   * @example
   * await client.unlockPdf({ file, password: "secret" });
   */
  unlockPdf(params: UnlockParams, options?: CallOptions): Promise<ClientResult>;
  /**
   * Splits a PDF into a zip: by `pages`, `every` so many pages, `by` its outline, or into parts of `max_bytes`.
   *
   * @example
   * await client.splitPdf({ file, pages: "1,3-5,last" }, { signal, onProgress });
   * await client.splitPdf({ file, every: 10 });
   */
  splitPdf(params: SplitParams, options?: CallOptions): Promise<ClientResult>;
  /**
   * Splits a PDF as `splitPdf` does, and yields the parts one by one, in order, without a zip. The worker makes the next
   * part while the loop is busy with one. Leaving the loop ends the work.
   *
   * @throws {ServiceError} when the loop starts, or when it comes to a part that cannot be made
   *
   * @example
   * for await (const { file: part, pages } of client.splitParts({ file, every: 10 }, { signal })) {
   *   console.log(part.name, pages); // report-01-10.pdf, [1, 2, …]
   *   await upload(part);
   * }
   */
  splitParts(params: SplitParams, options?: CallOptions): AsyncGenerator<SplitPart, void, undefined>;
  /**
   * Merges PDFs and images into one PDF: one file after the other, or pages in any order.
   *
   * @example
   * await client.mergePdf({ file: [report, photo, appendix], pages: ["1-3", "", ""] });
   * const sequence = [{ file: 0, page: 2 }, { file: 1, page: 1, rotate: 90 }, { file: 0, page: 1 }] as const;
   * await client.mergePdf({ file: [report, photo], sequence });
   */
  mergePdf(params: MergeParams, options?: CallOptions): Promise<ClientResult>;
  /**
   * Makes a PDF smaller: scales images down and encodes them again, and packs the rest. Text, outline, links, forms and tags
   * stay. The result is never larger than the file. It is not protected, and signatures in it are no longer valid.
   *
   * @example
   * await client.compressPdf({ file });
   * await client.compressPdf({ file, max_bytes: 2_000_000 });
   */
  compressPdf(params: CompressParams, options?: CallOptions): Promise<ClientResult>;
  /**
   * Removes what a PDF holds besides its visible pages: metadata, scripts, attachments, comments, hidden layers, private data of
   * programs and earlier revisions. Checks the result before it is returned. This is no redaction: what pages show stays.
   *
   * @example
   * await client.cleanPdf({ file, keep: ["comments"], flatten: true });
   */
  cleanPdf(params: CleanParams, options?: CallOptions): Promise<ClientResult>;
  /**
   * Reads the properties of a file without converting it: its format, the number and the sizes of its pages, whether it
   * needs a password. Decodes no pixels. A PDF that needs a password is no error.
   *
   * @example
   * const { pages, encrypted, opens_with_empty_password } = await client.inspect({ file });
   * const needsPassword = encrypted && !opens_with_empty_password;
   */
  inspect(params: InspectParams, options?: CallOptions): Promise<Inspection>;
  /**
   * Draws the pages of a PDF and yields their pictures one by one, in order. The worker draws a few pages ahead and waits
   * while the loop is busy. Leaving the loop ends the work.
   *
   * @throws {ServiceError} when the loop starts, or when it comes to a page that cannot be drawn: `details.page`
   *
   * @example
   * for await (const { page, blob, width, height } of client.renderPages({ file, width: 800 }, { signal })) {
   *   const image = new Image(width, height);
   *   image.src = URL.createObjectURL(blob);
   *   image.alt = `Page ${page}`;
   *   document.body.append(image);
   * }
   */
  renderPages(params: RenderParams, options?: CallOptions): AsyncGenerator<RenderedPage, void, undefined>;
  /**
   * Reads the text of a PDF and yields it page by page, in order, with the place of each word on the page as `renderPages`
   * draws it. Leaving the loop ends the work.
   *
   * @throws {ServiceError} when the loop starts, or when it comes to a page that cannot be read: `details.page`
   *
   * @example
   * for await (const { page, text, words, unknown } of client.readText({ file }, { signal })) {
   *   if (unknown) console.warn(`Some characters of page ${page} have no known meaning.`);
   *   const places = words.filter((word) => word.text.includes("invoice"));
   * }
   */
  readText(params: ReadTextParams, options?: CallOptions): AsyncGenerator<PageText, void, undefined>;
  /**
   * Returns where `convert` converts a pair of formats: on the device, by a converter of the app, or by the remote service.
   * Returns undefined for a pair that it refuses.
   *
   * @param from the format of the content of a file, such as `inspect` returns it
   * @param to the format to convert to. Case does not matter
   *
   * @example
   * pdfButton.disabled = (await client.can("docx", "pdf")) === undefined;
   */
  can(from: FormatId, to: OutputFormat | (string & Record<never, never>)): Promise<Place | undefined>;
  /**
   * A drop-in for `fetch`, for an app that calls the service. It answers requests to `/api/<operation>` under `baseUrl`
   * (without one: under the origin of this page) on this device, with the response of the service. All other requests
   * go to the `fetch` of the platform, unchanged, with two exceptions. Both are answered with status 501, and nothing is
   * sent, unless `allowUploads` names the origin:
   *
   * - Under `remote: "never"`, a request that may carry a file: `remote_refused`.
   * - Without `baseUrl`, a form with a file to `/api/<operation>` of another origin: `remote_not_configured`.
   *
   * It needs no `this`.
   *
   * @example
   * const { fetch } = createClient({ baseUrl });
   * const response = await fetch(`${baseUrl}/api/split-pdf`, { method: "POST", body: form });
   * const { download_url, file_name } = await response.json();
   */
  fetch: Fetch;
  /**
   * Lets this page do the work for the service worker of the app, which calls `serve` of `stayput/service-worker`. Ends
   * when the client is closed.
   *
   * @returns when the requests of this page go through the service worker. Before that, they go to the network. Waits as
   *   `navigator.serviceWorker.ready` does, because the app may register one later
   * @throws {ServiceError} `internal_error` where service workers are unavailable
   *
   * @example
   * await navigator.serviceWorker.register("/sw.js");
   * await client.answerServiceWorker();
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
   *
   * @example
   * await client.clearDownloads();
   */
  clearDownloads(): Promise<void>;
  /**
   * Returns the file of a result, with its name and type, without a request: for form uploads and the File System
   * Access API. The file stays valid when the result is released.
   *
   * @throws {ServiceError} `invalid_parameter` for a result that is released, or that is not of this client
   *
   * @example
   * form.append("file", client.blob(result));
   */
  blob(result: Pick<ServiceResult, "download_url" | "file_name">): File;
  /**
   * Returns the receipt of a result, for logs: the operation, the SHA-256 of each input and of the output, the version
   * and the place. The hashes are computed now.
   *
   * @throws {ServiceError} `invalid_parameter` for a result that is released, or that is not of this client; `damaged_file` if an
   *   input has changed or gone since the call
   *
   * @example
   * const receipt = await client.receipt(result); // { operation: "protectPdf", place: "sealed", … }
   */
  receipt(result: Pick<ServiceResult, "download_url">): Promise<Receipt>;
  /**
   * Frees the file of a result. Its `download_url` is no longer valid.
   *
   * @example
   * client.release(result);
   */
  release(result: Pick<ServiceResult, "download_url">): void;
  /**
   * Frees all files and ends all calls, for good. These and later calls reject with `client_closed`. Apps rarely need it:
   * idle workers end by themselves.
   */
  close(): void;
}

/**
 * Creates a client. No worker starts before the first call.
 *
 * @throws {ServiceError} `invalid_parameter` for the first option that is not known or is wrong. All are checked here, also
 *   those for calls of the remote service
 *
 * @example
 * const client = createClient();
 * const result = await client.splitPdf({ file, pages: "1,3-5" }, { signal, onProgress });
 * link.href = result.download_url; // blob:…
 * link.download = result.file_name; // split-report.zip
 */
export function createClient(options: ClientOptions = {}): Client {
  const values = readOptions(CLIENT_OPTIONS satisfies ReadersOf<ClientOptions>, options);
  checkSealed(options);
  const { assetUrl, maxWorkers, fontUrl = assetUrl && `${assetUrl}fonts/` } = values;
  const downloads = new Downloads();
  const closing = new AbortController();
  // The app may replace the global `fetch` by `client.fetch`, so keep the original.
  const platformFetch = globalThis.fetch;
  let pool: Pool | undefined;

  /** Loads the code of the pool, and comlink, with the first job. */
  async function openPool(): Promise<Pool> {
    const [{ Pool, workerSource }, sealing] = await importChunk(
      Promise.all([import("./pool/pool.ts"), values.sealed ? import("./sealed/sealed.ts") : undefined]),
    );
    closing.signal.throwIfAborted();
    const source = () =>
      sealing?.sealedSource({ assetUrl, fontUrl, platformFetch, closing: closing.signal }) ??
      workerSource(values);
    pool ??= new Pool({ maxWorkers, assetUrl, fontUrl, source: source() });
    return pool;
  }

  /** Runs a call until it is aborted or the client is closed. Reading a file and loading code cannot be aborted. */
  async function runCall<Result>(
    signal: AbortSignal | undefined,
    work: () => Promise<Result>,
    discard?: (late: Result) => void,
  ): Promise<Result> {
    const signals = [closing.signal, signal];
    for (const one of signals) one?.throwIfAborted();
    return abortable(work(), signals, discard);
  }

  const host: CallHost = {
    options: values,
    downloads,
    closing: closing.signal,
    platformFetch,
    openPool,
  };
  /** Returns an operation for a method, or for a request, which may carry a key. */
  const operation =
    (name: OperationName) =>
    async (params: object, callOptions: ServiceCallOptions = {}): Promise<ClientResult> => {
      const work = async () => {
        const fields = downloads.withFiles(params);
        const { runOperation } = await withPool(import("./calls.ts"));
        return runOperation(host, name, fields, callOptions);
      };
      return runCall(callOptions.signal, work, (late) => downloads.release(late));
    };
  const methods = ofEachOperation(operation) satisfies Methods;
  const method = (name: OperationName) => async (params: object, callOptions?: CallOptions) =>
    methods[name](params, readCallOptions(callOptions));

  /** Returns a method that yields what a job delivers. Its code is loaded when the loop starts. */
  const loop =
    <Params extends object, Item>(load: () => Promise<Loop<Params, Item>>) =>
    (params: Params, given?: CallOptions): AsyncGenerator<Item, void, undefined> => {
      // The app may release a result before the loop starts. What is wrong with it is an error of the loop.
      const taken = settled(() => downloads.withFiles(params));
      return (async function* () {
        const callOptions = readCallOptions(given);
        closing.signal.throwIfAborted();
        callOptions.signal?.throwIfAborted();
        const items = await withPool(load());
        yield* items(taken(), callOptions, host);
      })();
    };

  return {
    convert: method("convert"),
    protectPdf: method("protectPdf"),
    unlockPdf: method("unlockPdf"),
    splitPdf: method("splitPdf"),
    mergePdf: method("mergePdf"),
    compressPdf: method("compressPdf"),
    cleanPdf: method("cleanPdf"),
    inspect: async (params, given) => {
      const callOptions = readCallOptions(given);
      return runCall(callOptions.signal, async () => {
        const fields = downloads.withFiles(params);
        const part = await withPool(import("./inspect.ts"));
        return part.inspect(fields, callOptions, host);
      });
    },
    renderPages: loop(async () => (await import("./render-pages.ts")).renderPages),
    readText: loop(async () => (await import("./read-text.ts")).readText),
    splitParts: loop(async () => (await import("./split-parts.ts")).splitParts),
    can: (from, to) =>
      runCall(undefined, async () => {
        const { placeOfPair } = await importChunk(import("./calls.ts"));
        return placeOfPair(from, to, values);
      }),
    fetch: createFetch(methods, values, platformFetch),
    // There may never be a service worker.
    answerServiceWorker: () =>
      runCall(undefined, async () => {
        const { answerServiceWorker } = await pagePart();
        return answerServiceWorker(methods, downloads, closing.signal, values.apiKey !== undefined);
      }),
    formToken: () => pagePart().then((page) => page.formToken()),
    clearDownloads: () => {
      downloads.releaseAll();
      return pagePart().then((page) => page.clearDownloads());
    },
    blob: (result) => downloads.fileOf(result),
    receipt: (result) =>
      runCall(undefined, async () =>
        (await importChunk(import("./receipt.ts"))).receiptOf(result, downloads),
      ),
    release: (result) => downloads.release(result),
    close: () => {
      closing.abort(new ServiceError("client_closed", "The client is closed. Create another one."));
      pool?.close(closing.signal.reason);
      downloads.releaseAll();
    },
  };
}

/** The code of a method that yields what a job delivers. */
type Loop<Params, Item> = (
  params: Params,
  callOptions: CallOptions,
  host: CallHost,
) => AsyncGenerator<Item, void, undefined>;

/** Calls a function now. Returns what gives its value, or throws its error, later. */
function settled<Value>(work: () => Value): () => Value {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** Loads the code of a call, and requests that of the pool at the same time, which nearly every call needs. */
function withPool<Code>(code: Promise<Code>): Promise<Code> {
  // The call imports it again, and fails then. One with wrong fields, or of the remote service, needs no pool.
  import("./pool/pool.ts").catch(() => undefined);
  return importChunk(code);
}

/** Loads the code that only pages with a service worker need. */
const pagePart = () => importChunk(import("./service-worker/working-page.ts"), "internal_error");
