// npm start: the demo, running, from a fresh clone. Takes --port and --host, and --service: then office conversions
// are offered too, by the stand-in for the remote service (npm run service). With --built, it is what would be put on
// a host: an app that can be installed and works offline.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { installDependencies, ROOT } from "./dependencies.mjs";
import { readOptions, wholeNumber } from "./options.mjs";

const SERVICE_PORT = "8788";
/** No usual one: the browser keeps the page, and would show it in the place of what answers there some other day. */
const BUILT_PORT = 8789;

const { values } = readOptions("npm start --", {
  port: {
    type: "string",
    value: "N",
    takes: wholeNumber(0, 65535),
    about: `where the demo answers; 5173 (${BUILT_PORT} with --built), or the next that is free, when absent`,
  },
  host: {
    type: "string",
    value: "ADDRESS",
    about: "for whom: 0.0.0.0 for the whole network; this machine when absent",
  },
  service: { type: "boolean", about: "offers office conversions, too, by npm run service" },
  built: {
    type: "boolean",
    about: "builds it first: it can be installed, and works offline; not with --service",
  },
});
if (values.built && values.service) {
  // The key of the service is new each time, and would be in a page that the browser keeps.
  console.error("--built and --service do not go together: leave one of them out.");
  process.exit(1);
}

installDependencies();
if (values.service) startService();
const configFile = join(ROOT, "vite.config.ts");
const where = {
  ...(values.port === undefined ? {} : { port: Number(values.port) }),
  ...(values.host === undefined ? {} : { host: values.host }),
};
const server = await (values.built ? serveBuilt() : serveSources());
console.log("\n  Stayput: drop a PDF on the page at\n");
server.printUrls();

async function serveSources() {
  const { createServer } = await import("vite");
  const server = await createServer({ configFile, server: where });
  return server.listen();
}

async function serveBuilt() {
  const { build, preview } = await import("vite");
  // Apart from demo/dist, which may be on its way to a host.
  const outDir = join(ROOT, ".cache", "demo");
  await build({ configFile, logLevel: "warn", build: { outDir } });
  return preview({ configFile, build: { outDir }, preview: { port: BUILT_PORT, ...where } });
}

/** The page finds the service by what it is built with. */
function startService() {
  const key = randomBytes(16).toString("base64url");
  // By the environment: other users of this machine can read command lines.
  const env = { ...process.env, STAYPUT_SERVICE_KEY: key };
  process.env.VITE_SERVICE_URL = `http://127.0.0.1:${SERVICE_PORT}`;
  process.env.VITE_SERVICE_KEY = key;
  const script = join(ROOT, "scripts", "service.mjs");
  const service = spawn(process.execPath, [script, "--port", SERVICE_PORT], { stdio: "inherit", env });
  // Or it would stay when only this process is told to end, and hold its port with a key that nobody knows.
  process.on("exit", () => service.kill());
  process.once("SIGINT", () => process.exit(130));
}
