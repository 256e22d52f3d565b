import { ServiceError } from "../shared/errors.ts";
import { invalidParameter } from "../shared/failure.ts";
import { type ApiKey, isKey } from "./options.ts";

/** The key and the password. They go to the service, and must not appear anywhere else. */
export class Secrets {
  readonly #apiKey: ApiKey | undefined;
  readonly #known = new Set<string>();

  constructor(apiKey: ApiKey | undefined, password: unknown) {
    this.#apiKey = apiKey;
    if (typeof password === "string" && password !== "") this.#known.add(password);
  }

  /** Adds the key to a request. A function is called each time, because its key may have expired. */
  async authorize(request: Request): Promise<void> {
    const key = await this.#key();
    if (key === undefined || key === "") return;
    // Checked here, because the error of the platform would quote the key.
    if (!isKey(key)) {
      const message = 'The option "apiKey" must be, or return, a text of visible ASCII characters.';
      throw invalidParameter("apiKey", message);
    }
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
      // Any error of the app's function. It is not passed on, because it may quote the key.
      throw new ServiceError(
        "unauthorized",
        'The function "apiKey" failed, so there is no key for the remote service.',
      );
    }
  }
}
