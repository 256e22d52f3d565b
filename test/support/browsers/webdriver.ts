/** The WebDriver commands (https://www.w3.org/TR/webdriver2/) that control a page. */
export class WebDriverSession {
  readonly #url: string;

  private constructor(url: string) {
    this.#url = url;
  }

  /** @param limitMs rejects with a `TimeoutError` when the browser does not start in this time */
  static async start(driver: string, capabilities: object, limitMs: number): Promise<WebDriverSession> {
    const body = { capabilities: { alwaysMatch: capabilities } };
    const signal = AbortSignal.timeout(limitMs);
    const answer = await command<{ sessionId: string }>("POST", `${driver}/session`, body, signal);
    return new WebDriverSession(`${driver}/session/${answer.sessionId}`);
  }

  async navigate(url: string): Promise<void> {
    await command("POST", `${this.#url}/url`, { url });
  }

  /** Runs the body of a function. Its last argument is the callback for its result. */
  run<Result>(script: string, ...args: readonly unknown[]): Promise<Result> {
    return command("POST", `${this.#url}/execute/async`, { script, args });
  }

  /** Types into the first element of a selector. A file input takes the path of a file. */
  async type(selector: string, text: string): Promise<void> {
    const element = await command<Readonly<Record<string, string>>>("POST", `${this.#url}/element`, {
      using: "css selector",
      value: selector,
    });
    const [reference] = Object.values(element);
    await command("POST", `${this.#url}/element/${reference}/value`, { text });
  }

  async end(): Promise<void> {
    await command("DELETE", this.#url);
  }
}

async function command<Value>(
  method: "POST" | "DELETE",
  url: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Value> {
  const response = await fetch(url, {
    method,
    ...(signal && { signal }),
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const { value } = await response.json();
  if (response.ok) return value;
  throw new Error(`WebDriver: ${value?.error}: ${value?.message}`);
}
