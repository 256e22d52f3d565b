/** A request to a page: a job of that page on a file that the test serves. */
export interface PageRequest<Job> {
  readonly job: Job;
  /** The URL of the input. */
  readonly inputUrl: string;
  /** The URL to which the page sends the result. */
  readonly outputUrl: string;
}

/** The outcome of a job, as the page reports it. */
export type PageAnswer =
  | { readonly kind: "file"; readonly fileName: string; readonly milliseconds: number }
  | { readonly kind: "typed error"; readonly code: string; readonly message: string }
  | { readonly kind: "untyped error"; readonly message: string };

/** The name of the page's function on its window. */
export const RUN = "runOnFile";
