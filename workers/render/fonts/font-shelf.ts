/** Font files that have been loaded in this worker, by their addresses. */
const loaded = new Map<string, Uint8Array<ArrayBuffer>>();

/**
 * The font files that the app serves under one address, loaded when a document needs them. They are an install that
 * an app may leave out, so one that is not there is no error.
 */
export class FontShelf {
  readonly #place: string;
  readonly #absent = new Set<string>();

  /** @param place the address of the folder, of the worker's own origin */
  constructor(place: string) {
    this.#place = place.endsWith("/") ? place : `${place}/`;
  }

  /** Whether it is known that there is no such file. */
  isAbsent(file: string): boolean {
    return this.#absent.has(file);
  }

  /** A file that has been loaded. */
  get(file: string): Uint8Array<ArrayBuffer> | undefined {
    return loaded.get(this.#place + file);
  }

  async load(file: string): Promise<void> {
    const address = this.#place + file;
    if (loaded.has(address) || this.#absent.has(file)) return;
    const bytes = await fetchFont(address);
    if (bytes === undefined) this.#absent.add(file);
    else loaded.set(address, bytes);
  }
}

/** Nothing when it is not served, or what is served is no font: many servers answer with a page instead. */
async function fetchFont(address: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    // Fonts never come from another origin, not by a redirect either.
    const response = await fetch(address, { redirect: "error", mode: "same-origin" });
    if (!response.ok) return undefined;
    const bytes = new Uint8Array(await response.arrayBuffer());
    return isFont(bytes) ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** How OpenType files begin. */
const BEGINNINGS = ["\0\u0001\0\0", "OTTO", "true"];

function isFont(bytes: Uint8Array): boolean {
  return BEGINNINGS.includes(String.fromCharCode(...bytes.subarray(0, 4)));
}
