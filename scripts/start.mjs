// npm start: the demo, running, from a fresh clone. Takes --port and --host.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installDependencies, ROOT } from "./dependencies.mjs";

const { values } = parseArgs({ options: { port: { type: "string" }, host: { type: "string" } } });

installDependencies();
const { createServer } = await import("vite");
const server = await createServer({
  configFile: join(ROOT, "vite.config.ts"),
  server: {
    ...(values.port === undefined ? {} : { port: Number(values.port) }),
    ...(values.host === undefined ? {} : { host: values.host }),
  },
});
await server.listen();
console.log("\n  Stayput: drop a PDF on the page at\n");
server.printUrls();
