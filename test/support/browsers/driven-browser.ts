/** A browser that a test controls. */
export interface DrivenBrowser {
  readonly name: "chromium" | "firefox" | "webkit";
  /** Opens a page and waits until it sets its title to `ready`. */
  open(url: string): Promise<DrivenPage>;
  close(): Promise<void>;
}

/** One page of a {@link DrivenBrowser}. */
export interface DrivenPage {
  /**
   * Calls an asynchronous function on the page's window. Argument and result are JSON.
   * Rejects when the function rejects or the page has crashed.
   */
  call<Answer>(name: string, argument: unknown): Promise<Answer>;
  /** Chooses a file of the disk in the file input that the selector names, as a user does. */
  choose(selector: string, path: string): Promise<void>;
  /** The current document, which may be the response to a form. Rejects while it loads. */
  shown(): Promise<Shown>;
  close(): Promise<void>;
}

/** The document in a page. */
export interface Shown {
  readonly url: string;
  /** The HTTP status of the document's response. */
  readonly status: number;
  readonly text: string;
}

/** The body of a function that returns the {@link Shown} of its page. */
export const SHOWN = `
  const { responseStatus } = performance.getEntriesByType("navigation")[0];
  return { url: location.href, status: responseStatus, text: document.body.textContent };
`;
