import { attachment, failed } from "../http/response.ts";
import { ServiceError } from "../shared/errors.ts";
import { isPlatformError } from "../shared/failure.ts";
import { wantedPart } from "./byte-range.ts";
import { DOWNLOADS_CACHE } from "./clear-downloads.ts";

/** The methods that the URL of a result allows. */
export const DOWNLOAD_METHODS = "GET, HEAD";
/** The prefix of all ids. It also identifies requests for deleted files, so that their names go to no server. */
const HERE = "here-";
/**
 * Matches the end of the URL of a file. The URL has the expiry time and the size of the file. Reading them from the
 * stored response would open the file, and an open file cannot be deleted.
 */
const ADDRESS = new RegExp(`/download/${HERE}([^/-]+)-([^/-]+)-[^/]+/[^/]*$`);
/** The longest time of a timer. With a longer one, it fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Stores a file and returns its URL.
 *
 * @throws {ServiceError} `out_of_memory` when the file does not fit even after deleting all other results;
 *   the other results are then kept. `not_found` when the results were erased after the request arrived
 */
export type AddDownload = (file: Blob, fileName: string) => Promise<string>;

/**
 * Results in the cache storage, under `{base}/download/<id>/<file_name>`. They outlive the service worker, and expire
 * after some time. If the storage is full, the oldest are deleted first.
 */
export class DownloadStore {
  readonly #folder: string;
  readonly #lifetimeMs: number;
  /** The time of the next search for expired files. */
  #wakes = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param lifetimeMs how long a file is kept, in milliseconds */
  constructor(baseUrl: string, lifetimeMs: number) {
    this.#folder = `${baseUrl}/download/`;
    this.#lifetimeMs = lifetimeMs;
  }

  /** Returns whether a URL belongs to a file that is stored here, or was. */
  holds(url: string): boolean {
    return url.startsWith(this.#folder + HERE);
  }

  /**
   * Runs work that stores files.
   *
   * `clearDownloads` deletes the cache. The work keeps the cache object that it opened at its start. When
   * that cache is deleted, files that are stored in it later are lost with it (Service Workers,
   * "CacheStorage", delete). The lock prevents the deletion of an empty cache while the work runs.
   */
  async storing<T>(work: (add: AddDownload) => Promise<T>): Promise<T> {
    return navigator.locks.request(DOWNLOADS_CACHE, { mode: "shared" }, async () => {
      const cache = caches.open(DOWNLOADS_CACHE);
      // The error is reported when a file is stored: many requests need no storage.
      cache.catch(() => undefined);
      return work(async (file, fileName) => this.#add(await cache, file, fileName));
    });
  }

  async #add(cache: Cache, file: Blob, fileName: string): Promise<string> {
    await this.#removeExpired(cache);
    const expires = Date.now() + this.#lifetimeMs;
    const id = `${HERE}${expires.toString(36)}-${file.size.toString(36)}-${crypto.randomUUID()}`;
    const url = `${this.#folder}${id}/${encodeURIComponent(fileName)}`;
    for (let isFirst = true; ; isFirst = false) {
      try {
        await cache.put(url, new Response(file, { headers: headersOf(file, fileName, id) }));
        break;
      } catch (thrown) {
        // A full quota, a full disk, or the memory limit of a private window. The error name differs between
        // them.
        if (!isPlatformError(thrown)) throw thrown;
        const others = await this.#keys(cache);
        const [oldest] = others;
        if (oldest === undefined) throw noRoom();
        if (isFirst && !((await isReadable(file)) && (await fitsAlone(file, others, cache, url))))
          throw noRoom();
        await cache.delete(oldest);
      }
    }
    if (!(await isStored(url))) throw gone();
    this.#wakeAt(expires);
    return url;
  }

  /** Answers a request for a file, or for a part of it. */
  async answer(request: Request): Promise<Response> {
    const { method, url } = request;
    if (method !== "GET" && method !== "HEAD") {
      const error = new ServiceError("method_not_allowed", `A download takes GET, not ${method}.`);
      return failed(error, method, DOWNLOAD_METHODS);
    }
    await this.removeExpired();
    const [place = ""] = url.split(/[?#]/, 1);
    const whole = await caches.match(place, { cacheName: DOWNLOADS_CACHE });
    if (whole === undefined) return failed(gone(), method, DOWNLOAD_METHODS);
    return wantedPart(request, whole);
  }

  /**
   * Deletes expired files, and sets a timer for the next one while the service worker runs. Deletes the cache
   * when it is empty. Files that cannot be deleted are tried again the next time.
   */
  async removeExpired(): Promise<void> {
    try {
      if (!(await globalThis.caches?.has(DOWNLOADS_CACHE))) return;
      const cache = await caches.open(DOWNLOADS_CACHE);
      await this.#removeExpired(cache);
      if ((await cache.keys()).length === 0) await deleteEmptyCache();
    } catch (thrown) {
      // There may be no storage at all. A request that stores or downloads reports it.
      if (!isPlatformError(thrown)) throw thrown;
    }
  }

  /** Also deletes files of other bases: an app may have changed its base. */
  async #removeExpired(cache: Cache): Promise<void> {
    for (const key of await cache.keys()) {
      const expires = expiryOf(key.url);
      if (expires > Date.now()) this.#wakeAt(expires);
      else await cache.delete(key);
    }
  }

  /** Plans a search for expired files at `time`, unless an earlier one is planned. Each search plans the next one. */
  #wakeAt(time: number): void {
    if (time >= this.#wakes) return;
    this.#wakes = time;
    clearTimeout(this.#timer);
    const wake = () => {
      this.#wakes = Infinity;
      void this.removeExpired();
    };
    this.#timer = setTimeout(wake, Math.min(time - Date.now(), LONGEST_TIMER_MS));
  }

  /** Returns the files of this store, the oldest first. Other bases of this origin have their own. */
  async #keys(cache: Cache): Promise<Request[]> {
    const keys = await cache.keys();
    return keys.filter(({ url }) => this.holds(url));
  }
}

/**
 * Returns whether a file is in the current cache. Does not read the file: in Chromium, an open file keeps its
 * space after it is deleted.
 */
async function isStored(url: string): Promise<boolean> {
  if (!(await caches.has(DOWNLOADS_CACHE))) return false;
  const cache = await caches.open(DOWNLOADS_CACHE);
  return (await cache.keys(url)).length > 0;
}

/** Deletes the cache when it is empty, unless running work will store a file in it. */
async function deleteEmptyCache(): Promise<void> {
  await navigator.locks.request(DOWNLOADS_CACHE, { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    const cache = await caches.open(DOWNLOADS_CACHE);
    if ((await cache.keys()).length === 0) await caches.delete(DOWNLOADS_CACHE);
  });
}

/**
 * Returns whether a whole file can be read. A result may contain slices of its input, which may have changed since. Such
 * a file can never be stored.
 */
async function isReadable(file: Blob): Promise<boolean> {
  try {
    await file.stream().pipeTo(new WritableStream());
    return true;
  } catch (thrown) {
    if (isPlatformError(thrown)) return false;
    throw thrown;
  }
}

/**
 * Returns whether a file fits if all others are deleted. Stores a probe beside the others, with the size of the file
 * minus the size of the others. The quota that Chromium reports is not the one that it enforces.
 *
 * @param url the URL under which the probe is stored for a moment
 */
async function fitsAlone(
  file: Blob,
  others: readonly Request[],
  cache: Cache,
  url: string,
): Promise<boolean> {
  let probeSize = file.size;
  for (const other of others) probeSize -= sizeOf(other.url);
  if (probeSize <= 0) return true;
  try {
    await cache.put(url, new Response(file.slice(0, probeSize)));
    await cache.delete(url);
    return true;
  } catch (thrown) {
    if (isPlatformError(thrown)) return false;
    throw thrown;
  }
}

/** Returns the expiry time of a file, in milliseconds since 1970. */
function expiryOf(url: string): number {
  const [, time = ""] = ADDRESS.exec(url) ?? [];
  return Number.parseInt(time, 36);
}

/** Returns the size of a file in bytes. */
function sizeOf(url: string): number {
  const [, , size = ""] = ADDRESS.exec(url) ?? [];
  return Number.parseInt(size, 36);
}

function headersOf(file: Blob, fileName: string, id: string): Record<string, string> {
  return {
    "content-type": file.type || "application/octet-stream",
    "content-length": String(file.size),
    "content-disposition": attachment(fileName),
    "accept-ranges": "bytes",
    "cache-control": "no-store",
    etag: `"${id}"`,
    "x-content-type-options": "nosniff",
  };
}

function gone(): ServiceError {
  return new ServiceError("not_found", "This file is no longer stored. Create it again.");
}

function noRoom(): ServiceError {
  return new ServiceError(
    "out_of_memory",
    "The browser could not store the result. Free space on this device, leave the private window, or choose a smaller file.",
  );
}
