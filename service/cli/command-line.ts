import { ServiceError } from "../../src/shared/errors.ts";
import { invalidParameter } from "../../src/shared/failure.ts";
import { misspelled } from "../../src/shared/known-keys.ts";
import { VERSION } from "../../src/shared/version.ts";
import type { EngineSetup } from "../platform/run-call.ts";
import { systemCode } from "../platform/system-error.ts";
import { COMMANDS, commandNamed, PROGRAM } from "./commands.ts";
import { EXIT_OF, type ExitCode } from "./exit-codes.ts";
import { fileError } from "./file-errors.ts";
import { programHelp } from "./help.ts";
import { report } from "./report.ts";
import { runCommand } from "./run-command.ts";
import { removeAllTemporary } from "./temporary.ts";

/** What a command line asks for. */
export type Request =
  | { readonly kind: "serve"; readonly args: readonly string[] }
  | { readonly kind: "help" }
  | { readonly kind: "version" }
  | { readonly kind: "command"; readonly name: string; readonly args: readonly string[] };

/** Options in place of a command. Other options are those of the HTTP service. */
const ALONE: Readonly<Record<string, Request>> = {
  help: { kind: "help" },
  "--help": { kind: "help" },
  "-h": { kind: "help" },
  "--version": { kind: "version" },
};

/** Returns what a command line asks for. Without a command, it starts the HTTP service. */
export function requestOf(args: readonly string[]): Request {
  const [first, ...rest] = args;
  if (first === undefined || first === "serve") return { kind: "serve", args: rest };
  const alone = Object.hasOwn(ALONE, first) ? ALONE[first] : undefined;
  if (alone !== undefined) return alone;
  return first.startsWith("-") ? { kind: "serve", args } : { kind: "command", name: first, args: rest };
}

/**
 * Answers a request that is not for the HTTP service. The process ends by itself afterwards.
 *
 * @param installedPackage called when a command needs the package
 * @returns the exit code
 */
export async function runCommandLine(
  request: Exclude<Request, { readonly kind: "serve" }>,
  installedPackage: () => EngineSetup["packageUrl"],
): Promise<ExitCode> {
  const ending = new AbortController();
  const end = (exitCode: ExitCode) => {
    ending.abort();
    removeAllTemporary();
    process.exit(exitCode);
  };
  endWithOutput(end);
  switch (request.kind) {
    case "help":
      process.stdout.write(programHelp());
      return 0;
    case "version":
      process.stdout.write(`${VERSION}\n`);
      return 0;
    case "command": {
      const command = commandNamed(request.name);
      if (command !== undefined)
        return runCommand(command, request.args, {
          packageUrl: installedPackage(),
          signal: ending.signal,
          onFirstCall: () => endBySignal(end),
        }).finally(removeAllTemporary);
      const style = request.args.includes("--json") ? "json" : "text";
      report([], { kind: "failed", error: unknownCommand(request.name) }, style);
      return EXIT_OF.invalid_parameter;
    }
  }
}

/** Ends the process when its output is no longer read, or cannot be written. */
function endWithOutput(end: (exitCode: ExitCode) => void): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (thrown) => {
      if (systemCode(thrown) === "EPIPE") end(141);
      const error = fileError(thrown, "standard output", "written");
      if (!(error instanceof ServiceError)) throw error;
      report([], { kind: "failed", error }, "text");
      end(EXIT_OF[error.code]);
    });
}

/**
 * Ends the process by a signal, with what is not finished. Before the first call there is nothing to remove, and the system
 * ends the process by itself: `process.exit` would wait for a thread that opens a FIFO without a writer.
 */
function endBySignal(end: (exitCode: ExitCode) => void): void {
  process.once("SIGINT", () => end(130));
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.once(signal, () => end(143));
}

function unknownCommand(name: string): ServiceError {
  const names = [...COMMANDS.map((command) => command.name), "serve"];
  // The names of operations in URLs end with "-pdf".
  const base = name.replace(/-pdf$/, "");
  const meant = names.includes(base) ? base : misspelled(base, names);
  const advice =
    meant === undefined
      ? `The commands are ${names.join(", ")}. See ${PROGRAM} --help.`
      : `Did you mean "${meant}"?`;
  return invalidParameter("command", `The command "${name.slice(0, 80)}" is not known. ${advice}`);
}
