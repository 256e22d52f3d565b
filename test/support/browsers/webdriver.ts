/** The WebDriver commands (https://www.w3.org/TR/webdriver2/) that control a page. */
export class WebDriverSession {
  readonly #url: string;

  private constructor(url: string) {
    this.#url = url;
  }

  static async start(driver: string, capabilities: object): Promise<WebDriverSession> {
    const answer = await command<{ sessionId: string }>("POST", `${driver}/session`, {
      capabilities: { alwaysMatch: capabilities },
    });
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

async function command<Value>(method: "POST" | "DELETE", url: string, body?: object): Promise<Value> {
  const response = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const { value } = await response.json();
  if (response.ok) return value;
  throw new Error(`WebDriver: ${value?.error}: ${value?.message}`);
}
