import type { CommandOption } from "./command-options.ts";
import { KEY_VARIABLE } from "./http/key.ts";
import { DEFAULTS, type ServiceOptions } from "./http/service-options.ts";

const SECOND_MS = 1_000;
export const USUAL_PORT = 8788;
/** How long running calls may take after the signal to stop. Docker kills ten seconds after it, unless told otherwise. */
export const USUAL_STOP_LIMIT_S = 30;

/** An option of the command. It may set an option of the service, after its number is multiplied by a unit. */
interface ServeOption extends CommandOption {
  readonly sets?: { readonly field: keyof ServiceOptions; readonly unit?: number };
}

/** The options of the command that starts the service, in the order of its help. */
export const SERVE_OPTIONS = {
  port: count("the port it listens on", USUAL_PORT, 65_535, 0),
  host: {
    value: "ADDRESS",
    about: "the address it listens on: 0.0.0.0 for all; this machine alone when absent",
  },
  "key-file": { value: "FILE", about: `holds the API key; ${KEY_VARIABLE}, or a random one, when absent` },
  results: text("results", "DIR", "keeps results, also for other copies; a temporary one when absent"),
  "public-url": text("publicUrl", "URL", "begins URLs of results; http: and the requested host when absent"),
  "upload-limit": amount("uploadLimit", "the most megabytes of a request", 100_000, 1_000_000),
  "upload-time": amount("uploadTimeLimit", "the most seconds of an upload", 290, SECOND_MS),
  concurrency: amount("concurrency", "how many calls run at a time", 1_000),
  waiting: amount("waiting", "how many more may wait", 100_000, 1, 0),
  threads: amount("threads", "how many threads a call may have", 64),
  heap: amount("heapLimit", "the most megabytes of the heap of a thread", 1_000_000),
  "time-limit": amount("timeLimit", "the most seconds of a call", 86_400, SECOND_MS),
  keep: amount("keepFor", "how many minutes a result is kept", 100_000, 60 * SECOND_MS),
  "stop-limit": count("how many seconds running calls may take after SIGTERM", USUAL_STOP_LIMIT_S, 86_400),
};

/** Returns the options of the service that a command line sets. */
export function serviceOptionsOf(values: Readonly<Record<string, string>>): Partial<ServiceOptions> {
  const set = Object.entries<ServeOption>(SERVE_OPTIONS).flatMap(([name, { sets }]) => {
    const { [name]: value } = values;
    if (sets === undefined || value === undefined) return [];
    return [[sets.field, sets.unit === undefined ? value : Number(value) * sets.unit]];
  });
  return Object.fromEntries(set);
}

function text(field: "results" | "publicUrl", value: string, about: string): ServeOption {
  return { value, about, sets: { field } };
}

function count(about: string, usual: number, most: number, least = 1): ServeOption {
  return { value: "N", about: `${about} (${usual} when absent)`, takes: { least, most } };
}

type NumberField = Exclude<keyof typeof DEFAULTS, "onFailure" | "onRequest">;

function amount(field: NumberField, about: string, most: number, unit = 1, least = 1): ServeOption {
  return { ...count(about, DEFAULTS[field] / unit, most, least), sets: { field, unit } };
}
