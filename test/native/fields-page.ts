import { serveRun } from "../support/browsers/serve-run.ts";

/** The page on which the real client converts files by whatever fields. */
serveRun<Record<string, string>>((client, file, fields) =>
  client.convert({ output_format: "", ...fields, file }),
);
