import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Made } from "./convert.ts";

/** A result that can be downloaded. */
export interface StoredResult {
  readonly path: string;
  readonly type: string;
  readonly fileName: string;
}

const MOST_RESULTS = 100;

/** Stores results on disk for a limited time. A download needs no key, because the id is random. */
export class StoredResults {
  readonly #folder: string;
  readonly #lifetimeMs: number;
  readonly #results = new Map<string, StoredResult & { readonly timer: NodeJS.Timeout }>();

  constructor(folder: string, lifetimeMs: number) {
    this.#folder = folder;
    this.#lifetimeMs = lifetimeMs;
  }

  /** @returns the id */
  async add({ bytes, type, fileName }: Made): Promise<string> {
    const id = randomBytes(16).toString("base64url");
    const path = join(this.#folder, `result-${id}`);
    await writeFile(path, bytes);
    const timer = setTimeout(() => this.#remove(id), this.#lifetimeMs).unref();
    this.#results.set(id, { path, type, fileName, timer });
    const [oldest] = this.#results.keys();
    if (this.#results.size > MOST_RESULTS && oldest !== undefined) this.#remove(oldest);
    return id;
  }

  get(id: string): StoredResult | undefined {
    return this.#results.get(id);
  }

  /** Deletes all results, but not the folder. */
  clear(): void {
    for (const id of [...this.#results.keys()]) this.#remove(id);
  }

  #remove(id: string): void {
    const result = this.#results.get(id);
    if (result === undefined) return;
    clearTimeout(result.timer);
    this.#results.delete(id);
    // A running download keeps the open file until it ends.
    rm(result.path, { force: true }).catch(() => {});
  }
}
