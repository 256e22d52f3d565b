/** The font files that this worker has loaded, by URL. */
const loaded = new Map<string, Uint8Array<ArrayBuffer>>();

/**
 * Loads font files from the app's folder when a document needs them. Serving them is optional, so a missing file is no
 * error.
 */
export class FontLibrary {
  readonly #place: string;
  readonly #absent = new Set<string>();

  /** @param place the URL of the folder */
  constructor(place: string) {
    this.#place = place.endsWith("/") ? place : `${place}/`;
  }

  /** Whether loading the file has failed. */
  isAbsent(file: string): boolean {
    return this.#absent.has(file);
  }

  /** Returns a loaded file. */
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

/**
 * Returns a font file, or `undefined` when it is not served or is no font. Many servers answer a wrong address with an
 * HTML page.
 */
async function fetchFont(address: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    // Fonts never come from another origin than that of the folder, also not through a redirect.
    const response = await fetch(address, { redirect: "error" });
    if (!response.ok) return undefined;
    const bytes = new Uint8Array(await response.arrayBuffer());
    return isFont(bytes) ? bytes : undefined;
  } catch (thrown) {
    // The request, or reading its body, failed.
    if (thrown instanceof TypeError || thrown instanceof DOMException) return undefined;
    throw thrown;
  }
}

/** The first bytes of OpenType files. */
const BEGINNINGS = ["\0\u0001\0\0", "OTTO", "true"];

function isFont(bytes: Uint8Array): boolean {
  return BEGINNINGS.includes(String.fromCharCode(...bytes.subarray(0, 4)));
}
