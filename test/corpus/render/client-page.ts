import { ServiceError } from "../../../src/index.ts";
import { serveRun } from "../../support/browsers/serve-run.ts";
import type { RenderJob } from "./subject.ts";

/** The page on which the real client draws the PDFs of the corpus. */
serveRun<RenderJob>(async (client, file, { mostPages, format, ...params }) => {
  const draw = (pages: string) => client.convert({ ...params, file, output_format: format, pages });
  try {
    return await draw(`1-${mostPages}`);
  } catch (error) {
    const pageCount = error instanceof ServiceError ? error.details.page_count : undefined;
    if (pageCount === undefined) throw error;
    return draw(`1-${pageCount}`);
  }
});
