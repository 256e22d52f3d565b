import { serveRun } from "./serve-run.ts";

/** The page of {@link ConvertPage}: the real client converts files with the fields that a test gives. */
serveRun<Record<string, string>>((client, file, fields) =>
  client.convert({ output_format: "", ...fields, file }),
);
