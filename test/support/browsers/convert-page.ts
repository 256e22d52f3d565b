import { serveRun } from "./serve-run.ts";

/** The page of `Converter`: the real client converts files with the fields of a test. */
serveRun<Record<string, string>>((client, file, fields) =>
  client.convert({ output_format: "", ...fields, file }),
);
