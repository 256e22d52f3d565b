/** What every operation answers: exactly what the service answers. */
export interface ServiceResult {
  readonly success: true;
  /** A `blob:` URL, valid until it is released, the client is closed or the page goes away. */
  readonly download_url: string;
  /** What to call the file when saving it. */
  readonly file_name: string;
}

/** Results and their lifetime. Their URLs belong to the page: one made in a worker would die with the worker. */
export class Downloads {
  readonly #files = new Map<string, Blob>();

  /** Makes a result of a file. */
  offer(file: Blob, fileName: string): ServiceResult {
    const url = URL.createObjectURL(file);
    this.#files.set(url, file);
    return { success: true, download_url: url, file_name: fileName };
  }

  /** Lets a result's file go. One that was not offered here, or is gone already, is left alone. */
  release({ download_url }: Pick<ServiceResult, "download_url">): void {
    if (this.#files.delete(download_url)) URL.revokeObjectURL(download_url);
  }

  /** Lets a result's URL go, and gives its file, when it was offered here. */
  take(result: ServiceResult): Blob | undefined {
    const file = this.#files.get(result.download_url);
    this.release(result);
    return file;
  }

  /** Lets all files go. */
  releaseAll(): void {
    for (const url of this.#files.keys()) URL.revokeObjectURL(url);
    this.#files.clear();
  }
}
