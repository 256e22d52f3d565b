// stayput-service serve, and npm run service: all operations over HTTP.
import { helpText, readOptions, UsageError } from "./command-options.ts";
import { fontUrl } from "./font-url.ts";
import { hasKeyOption, KEY_OPTION_REFUSED, KEY_VARIABLE, takeKey } from "./http/key.ts";
import { Service } from "./http/service.ts";
import { DEFAULTS } from "./http/service-options.ts";
import { findOffice } from "./office/find-office.mjs";

const MEGABYTE = 1_000_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** How long running calls may take after the signal to stop. Docker kills ten seconds after it, unless told otherwise. */
const STOP_LIMIT_S = 30;

const COMMAND = import.meta.url.endsWith(".ts") ? "npm run service --" : "stayput-service";
const OPTIONS = {
  port: { value: "N", about: "where it answers (8788 when absent)", takes: { least: 0, most: 65_535 } },
  host: { value: "ADDRESS", about: "for whom: 0.0.0.0 for all; this machine alone when absent" },
  "key-file": {
    value: "FILE",
    about: `holds the API key that it asks for; ${KEY_VARIABLE}, or a random one, when absent`,
  },
  results: {
    value: "DIR",
    about: "keeps results, also for other copies of the service; a temporary one when absent",
  },
  "public-url": {
    value: "URL",
    about: "begins the URLs of results; http:// and the host of the request when absent",
  },
  "upload-limit": amount("N", "the most megabytes of a request", DEFAULTS.uploadLimit / MEGABYTE, 100_000),
  "upload-time": amount("N", "the most seconds of an upload", DEFAULTS.uploadTimeLimit / SECOND_MS, 290),
  concurrency: amount("N", "how many calls run at a time", DEFAULTS.concurrency, 1_000),
  waiting: {
    value: "N",
    about: `how many more may wait (${DEFAULTS.waiting} when absent)`,
    takes: { least: 0, most: 100_000 },
  },
  threads: amount("N", "how many threads a call may have", DEFAULTS.threads, 64),
  heap: amount("N", "the most megabytes of the heap of a thread", DEFAULTS.heapLimit, 1_000_000),
  "time-limit": amount("N", "the most seconds of a call", DEFAULTS.timeLimit / SECOND_MS, 86_400),
  keep: amount("N", "how many minutes a result is kept", DEFAULTS.keepFor / MINUTE_MS, 100_000),
  "stop-limit": amount("N", "how many seconds running calls may take after SIGTERM", STOP_LIMIT_S, 86_400),
} as const;

const args = process.argv.slice(2);
if (hasKeyOption(args)) fail(KEY_OPTION_REFUSED);
if (args.includes("--help")) {
  console.log(helpText(COMMAND, OPTIONS));
  process.exit(0);
}
const values = readValues();
const soffice = findOffice();
if (soffice === undefined) console.error("LibreOffice is not here: office formats are not converted.");

const key = takeKeyOrFail();
const service = await startService().catch((thrown: unknown) =>
  fail(
    `The service cannot start: ${thrown}. --port and --host choose another place, ` +
      `${KEY_VARIABLE} and --key-file another key.`,
  ),
);
let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  // The terminal and the npm script may both send a signal.
  process.on(signal, () => {
    if (isStopping) return;
    isStopping = true;
    const limit = numberOf("stop-limit", STOP_LIMIT_S) * SECOND_MS;
    void service.stop(limit).then(() => process.exit(0));
  });
}
process.once("exit", () => service.removeFolder());

// A log that nobody reads any more ends no calls.
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

function startService(): Promise<Service> {
  const options = {
    soffice,
    fontUrl: fontUrl(process.env),
    key: key.text,
    results: values.results,
    publicUrl: values["public-url"],
    uploadLimit: numberOf("upload-limit", DEFAULTS.uploadLimit / MEGABYTE) * MEGABYTE,
    uploadTimeLimit: numberOf("upload-time", DEFAULTS.uploadTimeLimit / SECOND_MS) * SECOND_MS,
    concurrency: numberOf("concurrency", DEFAULTS.concurrency),
    waiting: numberOf("waiting", DEFAULTS.waiting),
    threads: numberOf("threads", DEFAULTS.threads),
    heapLimit: numberOf("heap", DEFAULTS.heapLimit),
    timeLimit: numberOf("time-limit", DEFAULTS.timeLimit / SECOND_MS) * SECOND_MS,
    keepFor: numberOf("keep", DEFAULTS.keepFor / MINUTE_MS) * MINUTE_MS,
    onFailure: (thrown: unknown) => console.error(thrown),
    onRequest: (entry: object) => console.log(JSON.stringify(entry)),
  };
  return Service.start(options, { host: values.host, port: numberOf("port", 8788) });
}

/** An option that takes a whole number from 1. */
function amount(value: string, about: string, usual: number, most: number) {
  return { value, about: `${about} (${usual} when absent)`, takes: { least: 1, most } };
}

function numberOf(name: keyof typeof OPTIONS, usual: number): number {
  const { [name]: given } = values;
  return given === undefined ? usual : Number(given);
}

function readValues() {
  try {
    return readOptions(args, COMMAND, OPTIONS);
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
