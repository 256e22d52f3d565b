import { ServiceError } from "../shared/errors.ts";

/** The service's key, or what gets it. */
export type ApiKey = string | (() => string | Promise<string>);

/** What may be sent to the service, and must not be seen anywhere else. */
export class Secrets {
  readonly #apiKey: ApiKey | undefined;
  readonly #known = new Set<string>();

  constructor(apiKey: ApiKey | undefined, password: unknown) {
    this.#apiKey = apiKey;
    if (typeof password === "string" && password !== "") this.#known.add(password);
  }

  /** Lets a request carry the key. A key that a function gets is asked for anew each time: it may have expired. */
  async authorize(request: Request): Promise<void> {
    const key = await this.#key();
    if (key === undefined || key === "") return;
    // Checked here, because what the platform throws at a wrong header quotes it.
    if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)) throw wrongKey("gave no such key");
    this.#known.add(key);
    request.headers.set("Authorization", `Bearer ${key}`);
  }

  /**
   * Returns whether a text from outside contains a secret. Ignores case, because URLs write hosts in lower
   * case.
   */
  areIn(text: string): boolean {
    const lower = text.toLowerCase();
    return [...this.#known].some((secret) => lower.includes(secret.toLowerCase()));
  }

  async #key(): Promise<unknown> {
    if (typeof this.#apiKey !== "function") return this.#apiKey;
    try {
      return await this.#apiKey();
    } catch {
      // Nobody knows what the reason quotes.
      throw new ServiceError(
        "unauthorized",
        'The key of the remote service could not be had: the function "apiKey" failed.',
      );
    }
  }
}

function wrongKey(what: string): ServiceError {
  return new ServiceError(
    "invalid_parameter",
    `The option "apiKey" must be, or get, a text of visible ASCII characters; it ${what}.`,
    { parameter: "apiKey" },
  );
}
