/** A browser that a test drives from outside. */
export interface DrivenBrowser {
  readonly name: "chromium" | "firefox" | "webkit";
  /** Opens a page that sets its title to `ready` once it is. */
  open(url: string): Promise<DrivenPage>;
  close(): Promise<void>;
}

/** One page of a {@link DrivenBrowser}. */
export interface DrivenPage {
  /**
   * Calls an asynchronous function that the page has put on its window; the argument and the answer are JSON.
   * Rejects when the function does, and when the page is gone.
   */
  call<Answer>(name: string, argument: unknown): Promise<Answer>;
  /** What the page shows now, which may be the answer to a form. Rejects while it is being loaded. */
  shown(): Promise<Shown>;
  close(): Promise<void>;
}

/** A document that a page shows. */
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
