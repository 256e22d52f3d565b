import { invalidParameter } from "./shared/failure.ts";

/** The result of every operation: the JSON object that the service returns. */
export interface ServiceResult {
  readonly success: true;
  /** A `blob:` URL. It is valid until the result is released, the client is closed or the page is left. */
  readonly download_url: string;
  /** The name under which to save the file. */
  readonly file_name: string;
}

/**
 * The results of a client and their lifetime. The page creates the URLs, because a URL that a worker creates ends with
 * the worker.
 */
export class Downloads {
  readonly #files = new Map<string, Blob>();

  /** Makes a result of a file. */
  createResult(file: Blob, fileName: string): ServiceResult {
    const url = URL.createObjectURL(file);
    this.#files.set(url, file);
    return { success: true, download_url: url, file_name: fileName };
  }

  /**
   * Returns the file of a result, with its name and type.
   *
   * @throws {ServiceError} `invalid_parameter` for a result that is released, or that is not of this client
   */
  fileOf({ download_url, file_name }: ServiceResult): File {
    const file = this.#files.get(download_url);
    if (file !== undefined) return new File([file], file_name, { type: file.type });
    throw invalidParameter(
      "result",
      "The result is released, or it is not of this client. Take the file before you release the result.",
    );
  }

  /** Frees the file of a result. Ignores a result that is released already or belongs to another client. */
  release({ download_url }: Pick<ServiceResult, "download_url">): void {
    if (this.#files.delete(download_url)) URL.revokeObjectURL(download_url);
  }

  /** Releases a result and returns its file. Returns nothing for a result that is not here. */
  take(result: ServiceResult): Blob | undefined {
    const file = this.#files.get(result.download_url);
    this.release(result);
    return file;
  }

  /** Releases all results. */
  releaseAll(): void {
    for (const url of this.#files.keys()) URL.revokeObjectURL(url);
    this.#files.clear();
  }
}
