import { serveRun } from "../../support/browsers/serve-run.ts";
import type { ImageJob } from "./subject.ts";

/** The page on which the real client converts the images of the corpus. */
serveRun<ImageJob>((client, file, { to }) => client.convert({ file, output_format: to }));
