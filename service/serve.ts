// stayput-service serve, and npm run service: all operations over HTTP.
import { helpText, readOptions, UsageError } from "./command-options.ts";
import { fontUrl } from "./folder-urls.ts";
import { hasKeyOption, KEY_OPTION_REFUSED, takeKey } from "./http/key.ts";
import { Service } from "./http/service.ts";
import { findOffice } from "./office/find-office.mjs";
import { SERVE_OPTIONS, serviceOptionsOf, USUAL_PORT, USUAL_STOP_LIMIT_S } from "./serve-options.ts";

const COMMAND = "stayput-service";

const args = process.argv.slice(2);
if (hasKeyOption(args)) fail(KEY_OPTION_REFUSED);
if (args.includes("--help") || args.includes("-h")) {
  console.log(helpText(COMMAND, SERVE_OPTIONS));
  process.exit(0);
}
const values = readValues();
const soffice = findOffice();
if (soffice === undefined) console.error("LibreOffice is not here: office formats are not converted.");

const key = takeKeyOrFail();
const service = await Service.start(
  {
    ...serviceOptionsOf(values),
    soffice,
    fontUrl: fontUrl(process.env),
    key: key.text,
    onFailure: (thrown) => console.error(thrown),
    onRequest: (entry) => console.log(JSON.stringify(entry)),
  },
  { host: values.host, port: Number(values.port ?? USUAL_PORT) },
).catch((thrown: unknown) =>
  fail(
    `The service cannot start: ${thrown}.${isOfAddress(thrown) ? " --port and --host choose another place." : ""}`,
  ),
);
let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // The terminal and the npm script may both send a signal.
  process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    const limitMs = Number(values["stop-limit"] ?? USUAL_STOP_LIMIT_S) * 1_000;
    service.stop(limitMs).then(
      () => process.exit(0),
      (thrown) => fail(`The service did not stop cleanly: ${thrown}.`),
    );
  });
}
process.once("exit", () => service.removeFolder());

// Calls go on when the log is no longer read.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

// The log has the standard output for itself.
console.error(`
  The service answers at

  baseUrl  ${service.url}
  apiKey   ${key.isNew ? key.text : "the one that it was given"}
`);

/** Returns whether the service cannot listen at its address. */
function isOfAddress(thrown: unknown): boolean {
  const syscall = thrown instanceof Error && "syscall" in thrown ? thrown.syscall : undefined;
  return syscall === "listen" || syscall === "getaddrinfo";
}

function readValues() {
  try {
    return readOptions(args, COMMAND, SERVE_OPTIONS);
  } catch (thrown) {
    if (thrown instanceof UsageError) fail(thrown.message);
    throw thrown;
  }
}

function takeKeyOrFail() {
  try {
    return takeKey(values["key-file"], process.env);
  } catch (thrown) {
    return fail(`The key cannot be read: ${thrown}. --key-file names a file that holds it.`);
  }
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
