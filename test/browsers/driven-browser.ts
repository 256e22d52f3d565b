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
  close(): Promise<void>;
}

/** How long a browser or a page may take to start. */
export const START_LIMIT_MS = 60_000;
