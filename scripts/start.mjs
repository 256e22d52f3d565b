// npm start: serves the demo, also from a fresh clone. --service also starts the service (npm run service), for office
// conversions. --built builds and serves the app that can be installed and works offline.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { installDependencies, ROOT } from "./dependencies.mjs";
import { readOptions, wholeNumber } from "./options.mjs";

const SERVICE_PORT = "8788";
/** An unusual port: the service worker stays, and would answer for another program on the same port later. */
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
  // The service has a new key each time, but the browser would keep the page with the old key.
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
  // Not demo/dist, which the app may be deployed from.
  const outDir = join(ROOT, ".cache", "demo");
  await build({ configFile, logLevel: "warn", build: { outDir } });
  return preview({ configFile, build: { outDir }, preview: { port: BUILT_PORT, ...where } });
}

/** Starts the service, and puts its URL and key into variables that Vite builds into the page. */
function startService() {
  const key = randomBytes(16).toString("base64url");
  // In the environment, because other users of the machine can read command lines.
  const env = { ...process.env, STAYPUT_SERVICE_KEY: key };
  process.env.VITE_SERVICE_URL = `http://127.0.0.1:${SERVICE_PORT}`;
  process.env.VITE_SERVICE_KEY = key;
  const script = join(ROOT, "scripts", "service.mjs");
  const service = spawn(process.execPath, [script, "--port", SERVICE_PORT], { stdio: "inherit", env });
  // Otherwise the service would survive this process, and block the port with an unknown key.
  process.on("exit", () => service.kill());
  process.once("SIGINT", () => process.exit(130));
}
