/** What a page of the run is asked for: a job that only it understands, on a file that the run serves. */
export interface PageRequest<Job> {
  readonly job: Job;
  /** Where the run serves the input. */
  readonly inputUrl: string;
  /** Where the run takes the result. */
  readonly outputUrl: string;
}

/** How a job ended, as far as the page can tell. */
export type PageAnswer =
  | { readonly kind: "file"; readonly fileName: string; readonly milliseconds: number }
  | { readonly kind: "typed error"; readonly code: string; readonly message: string }
  | { readonly kind: "untyped error"; readonly message: string };

/** The name under which a page offers its work on its window. */
export const RUN = "runOnFile";
