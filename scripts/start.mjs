// npm start: the demo, running, from a fresh clone. Takes --port and --host, and --service: then office conversions
// are offered too, by the stand-in for the remote service (npm run service).
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { installDependencies, ROOT } from "./dependencies.mjs";
import { readOptions, wholeNumber } from "./options.mjs";

const SERVICE_PORT = "8788";

const { values } = readOptions("npm start --", {
  port: {
    type: "string",
    value: "N",
    takes: wholeNumber(0, 65535),
    about: "where the demo answers; 5173, or the next that is free, when absent",
  },
  host: {
    type: "string",
    value: "ADDRESS",
    about: "for whom: 0.0.0.0 for the whole network; this machine when absent",
  },
  service: { type: "boolean", about: "offers office conversions, too, by npm run service" },
});

installDependencies();
if (values.service) startService();
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

/** The page finds the service by what it is built with. */
function startService() {
  const key = randomBytes(16).toString("base64url");
  process.env.VITE_SERVICE_URL = `http://127.0.0.1:${SERVICE_PORT}`;
  process.env.VITE_SERVICE_KEY = key;
  const script = join(ROOT, "scripts", "service.mjs");
  spawn(process.execPath, [script, "--port", SERVICE_PORT, "--key", key], { stdio: "inherit" });
}
