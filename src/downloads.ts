/// <reference lib="esnext.disposable" preserve="true" />
import type { Place } from "./choose-converter.ts";
import type { OperationName } from "./http/path.ts";
import { invalidParameter } from "./shared/failure.ts";
import { requestGc } from "./shared/request-gc.ts";

/** The result of every operation: the JSON object that the service returns. */
export interface ServiceResult {
  readonly success: true;
  /** A `blob:` URL. It is valid until the result is released, the client is closed or the page is left. */
  readonly download_url: string;
  /** The name under which to save the file. */
  readonly file_name: string;
}

/**
 * The result of a method of the client. `using result = await client.convert(…)` releases it at the end of the scope, on
 * platforms that have `Symbol.dispose`. The property is not enumerable, so the result stays plain data for JSON and
 * messages.
 */
export interface ClientResult extends ServiceResult, Disposable {}

/** How a result was made. */
export interface Origin {
  readonly operation: OperationName;
  readonly place: Place | "sealed";
  readonly inputs: readonly Blob[];
}

/** A file for an operation: a `File`, a `Blob`, or the result of an earlier call of the same client. */
export type FileInput = Blob | Pick<ServiceResult, "download_url" | "file_name">;

/**
 * How many released bytes may wait until the browser collects its garbage. It does so by itself only when a page has made many
 * objects. A private window of Chromium has no disk for results: with 3 GB of them in memory, it could store no other.
 */
const COLLECTED_AT = 512 * 1024 * 1024;

/** What makes the URLs of files. */
type BlobUrls = Pick<typeof URL, "createObjectURL" | "revokeObjectURL">;

/**
 * The results of a client and their lifetime. The page creates the URLs, because a URL that a worker creates ends with
 * the worker.
 */
export class Downloads {
  readonly #urls: BlobUrls;
  readonly #files = new Map<string, Blob>();
  readonly #origins = new Map<string, Origin>();
  /** The bytes of results that were released, and that the browser may not have freed yet. */
  #releasedBytes = 0;

  /** @param urls makes and ends the URLs. Default: the platform */
  constructor(urls: BlobUrls = URL) {
    this.#urls = urls;
  }

  /** Makes a result of a file. */
  createResult(file: Blob, fileName: string): ClientResult {
    const url = this.#urls.createObjectURL(file);
    this.#files.set(url, file);
    return this.resultAt(url, fileName);
  }

  /** Makes a result whose file is at a URL. To dispose of it means to release it. */
  resultAt(url: string, fileName: string): ClientResult {
    const result: ServiceResult = { success: true, download_url: url, file_name: fileName };
    // Not in Safari. There, the property would be called "undefined".
    if (Symbol.dispose !== undefined)
      Object.defineProperty(result, Symbol.dispose, { value: () => this.release(result) });
    return result as ClientResult;
  }

  /** Notes how a result was made, until it is released. */
  setOrigin({ download_url }: ServiceResult, origin: Origin): void {
    this.#origins.set(download_url, origin);
  }

  /**
   * Returns how a result was made, and its file unless that is at the remote service.
   *
   * @throws {ServiceError} `invalid_parameter` as {@link fileOf}
   */
  originOf({
    download_url,
  }: Pick<ServiceResult, "download_url">): Origin & { readonly output: Blob | undefined } {
    const origin = this.#origins.get(download_url);
    if (origin === undefined) throw notHere("result");
    return { ...origin, output: this.#files.get(download_url) };
  }

  /**
   * Returns the file of a result, with its name and type.
   *
   * @param parameter the field that has the result, for the error
   * @throws {ServiceError} `invalid_parameter` for a result that is released, or that is not of this client
   */
  fileOf(
    { download_url, file_name }: Pick<ServiceResult, "download_url" | "file_name">,
    parameter = "result",
  ): File {
    const file = this.#files.get(download_url);
    if (file !== undefined) return new File([file], file_name, { type: file.type });
    throw notHere(parameter);
  }

  /**
   * Returns the fields of a call with a file in place of each result in `file`. Called before anything is awaited: the
   * app may release a result while the call runs.
   *
   * @throws {ServiceError} `invalid_parameter` as {@link fileOf}
   */
  withFiles<Params extends object>(params: Params): Params {
    const { file } = (params ?? {}) as { readonly file?: unknown };
    const take = (given: unknown) => (isResult(given) ? this.fileOf(given, "file") : given);
    return file === undefined
      ? params
      : { ...params, file: Array.isArray(file) ? file.map(take) : take(file) };
  }

  /** Frees the file of a result. Ignores a result that is released already or belongs to another client. */
  release({ download_url }: Pick<ServiceResult, "download_url">): void {
    this.#origins.delete(download_url);
    const file = this.#files.get(download_url);
    if (file === undefined) return;
    this.#files.delete(download_url);
    this.#urls.revokeObjectURL(download_url);
    this.#releasedBytes += file.size;
    if (this.#releasedBytes < COLLECTED_AT) return;
    this.#releasedBytes = 0;
    requestGc();
  }

  /** Releases a result and returns its file. Returns nothing for a result that is not here. */
  take(result: ServiceResult): Blob | undefined {
    const file = this.#files.get(result.download_url);
    this.release(result);
    return file;
  }

  /** Releases all results. */
  releaseAll(): void {
    for (const download_url of this.#files.keys()) this.release({ download_url });
    // Those of the remote service have no file here.
    this.#origins.clear();
  }
}

function notHere(parameter: string) {
  return invalidParameter(
    parameter,
    "The result is released, or it is not of this client. Take the file before you release the result.",
  );
}

/** Returns whether a value is a result, of any client. No `Blob` has such a property. */
function isResult(given: unknown): given is ServiceResult {
  return typeof given === "object" && given !== null && "download_url" in given;
}
