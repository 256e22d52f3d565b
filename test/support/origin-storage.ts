/** A CacheStorage with a quota in bytes. As in browsers, a deleted cache stays usable where it is open. */
export class TestCaches {
  readonly #quota: number;
  readonly #caches = new Map<string, TestCache>();

  constructor(quota = Infinity) {
    this.#quota = quota;
  }

  async open(name: string): Promise<TestCache> {
    const cache = this.#caches.get(name) ?? new TestCache(this.#quota);
    this.#caches.set(name, cache);
    return cache;
  }
  async has(name: string): Promise<boolean> {
    return this.#caches.has(name);
  }
  async delete(name: string): Promise<boolean> {
    return this.#caches.delete(name);
  }
  async match(url: string, { cacheName }: { readonly cacheName: string }): Promise<Response | undefined> {
    return this.#caches.get(cacheName)?.match(url);
  }

  /** The URLs in a cache, in the order of storing. Undefined when there is no such cache. */
  urls(name = "stayput-downloads"): readonly string[] | undefined {
    return this.#caches.get(name)?.urls();
  }
}

class TestCache {
  readonly #quota: number;
  readonly #stored = new Map<string, { readonly response: Response; readonly size: number }>();

  constructor(quota: number) {
    this.#quota = quota;
  }

  async put(url: string, response: Response): Promise<void> {
    const { size } = await response.clone().blob();
    let usage = size;
    for (const [other, stored] of this.#stored) usage += other === url ? 0 : stored.size;
    if (usage > this.#quota) throw new DOMException("no room", "QuotaExceededError");
    this.#stored.set(url, { response, size });
  }
  async match(url: string): Promise<Response | undefined> {
    return this.#stored.get(url)?.response.clone();
  }
  async delete(key: Request | string): Promise<boolean> {
    return this.#stored.delete(typeof key === "string" ? key : key.url);
  }
  async keys(wanted?: string): Promise<Request[]> {
    const urls = this.urls().filter((url) => wanted === undefined || url === wanted);
    return urls.map((url) => new Request(url));
  }
  urls(): readonly string[] {
    return [...this.#stored.keys()];
  }
}

type Work = (lock: object | null) => unknown;
interface LockOptions {
  readonly mode?: "exclusive" | "shared";
  readonly ifAvailable?: boolean;
}

/** The part of Web Locks that the service worker and its pages use. No request waits for a lock. */
export class TestLocks {
  readonly #held: { readonly name: string; readonly mode: string }[] = [];

  async request(name: string, ...[first, second]: [Work] | [LockOptions, Work]): Promise<unknown> {
    const { mode = "exclusive", ifAvailable = false } = typeof first === "function" ? {} : first;
    const work = typeof first === "function" ? first : second;
    const isTaken = this.#held.some(
      (lock) => lock.name === name && (mode === "exclusive" || lock.mode === "exclusive"),
    );
    if (isTaken && ifAvailable) return work?.(null);
    if (isTaken) throw new Error(`The lock ${name} is held`);
    const lock = { name, mode };
    this.#held.push(lock);
    try {
      return await work?.(lock);
    } finally {
      this.#held.splice(this.#held.indexOf(lock), 1);
    }
  }

  async query(): Promise<{ held: { name: string; mode: string }[] }> {
    return { held: this.#held.map(({ name, mode }) => ({ name, mode })) };
  }
}
