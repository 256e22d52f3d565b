import { availableParallelism } from "node:os";
import { readFields } from "../../src/fields.ts";
import { ServiceError } from "../../src/shared/errors.ts";
import { internalError, invalidParameter } from "../../src/shared/failure.ts";
import type { Progress } from "../../src/shared/protocol.ts";
import { fontUrl } from "../folder-urls.ts";
import { findOffice } from "../office/find-office.mjs";
import { perform } from "../perform.ts";
import { type EngineSetup, withClient } from "../platform/run-call.ts";
import { isDiskFull } from "../platform/system-error.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import { type Command, fieldsOf, takesAllFiles } from "./commands.ts";
import { EXIT_OF, type ExitCode } from "./exit-codes.ts";
import { commandHelp } from "./help.ts";
import { openInput, pathsOf } from "./input-files.ts";
import { type Secrets, secretsOf } from "./passwords.ts";
import { ProgressBar } from "./progress-bar.ts";
import { type Outcome, type ReportStyle, report } from "./report.ts";
import { type Destination, destinationOf, type Existing, writeResult } from "./results.ts";
import { takeVariables } from "./secrets.ts";
import { removeTemporary, temporaryFolder } from "./temporary.ts";
import { terminalOfProcess } from "./terminal.ts";

/** How many threads a call has at most. More of them help little. */
const MOST_THREADS = 4;

/** What commands work with. */
export interface CommandContext {
  readonly packageUrl: EngineSetup["packageUrl"];
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
  /** Called when there begins to be something to remove at the end of the process. */
  readonly onFirstCall: () => void;
}

/** What all calls of a command share. */
interface Calls extends CommandContext {
  readonly command: Command;
  /** The fields, without the file. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly destination: Destination;
  readonly existing: Existing;
  readonly bar: ProgressBar;
}

/** The calls of a command, each with the paths of its files. */
interface Plan {
  readonly calls: Calls;
  readonly batches: readonly (readonly string[])[];
}

/**
 * Runs a command: one call for each file, or one for all. A call that fails does not end the others.
 *
 * @param args those after the name of the command
 * @returns the exit code: that of the first failure
 */
export async function runCommand(
  command: Command,
  args: readonly string[],
  context: CommandContext,
): Promise<ExitCode> {
  // For an error of the arguments themselves.
  let style: ReportStyle = args.includes("--json") ? "json" : "text";
  try {
    const given = readArguments(command, args);
    style = styleOf(given.switches);
    if (given.switches.has("help")) {
      process.stdout.write(commandHelp(command));
      return 0;
    }
    const { calls, batches } = await plan(command, given, context);
    context.onFirstCall();
    let exitCode: ExitCode = 0;
    for (const paths of batches) {
      const outcome = await outcomeOf(calls, paths);
      calls.bar.clear();
      report(paths, outcome, style);
      if (outcome.kind === "failed") exitCode ||= EXIT_OF[outcome.error.code];
    }
    return exitCode;
  } catch (thrown) {
    const error = serviceError(thrown);
    report([], { kind: "failed", error }, style);
    return EXIT_OF[error.code];
  }
}

function styleOf(switches: Arguments["switches"]): ReportStyle {
  if (switches.has("json")) return "json";
  return switches.has("quiet") ? "quiet" : "text";
}

/** Checks all that can be checked before the first call, so that one mistake is one error. */
async function plan(command: Command, given: Arguments, context: CommandContext): Promise<Plan> {
  const variables = takeVariables(process.env);
  const paths = pathsOf(given.files);
  const batches = takesAllFiles(command) ? [paths] : paths.map((path) => [path]);
  const existing = given.switches.has("force") ? "overwritten" : "kept";
  const isSilent = given.switches.has("quiet");
  const bar = new ProgressBar(isSilent ? { write: () => {} } : process.stderr);
  const secrets = await secretsOf(
    command,
    { files: given.secretFiles, variables, terminal: terminalOfProcess() },
    () => bar.clear(),
  );
  const fields = { ...given.fields, ...forEachFile(secrets, command, paths.length) };
  readFields(fieldsOf(command), { ...fields, file: takesAllFiles(command) ? [new Blob()] : new Blob() });
  if (given.output === "-" && given.switches.has("json"))
    throw invalidParameter(
      "--output",
      "The standard output cannot have both the result and JSON. Name a file.",
    );
  const destination = destinationOf(given.output, batches.length, existing);
  return { calls: { ...context, command, fields, destination, existing, bar }, batches };
}

/** A merge takes a password for each of its files. */
function forEachFile({ password, ...others }: Secrets, command: Command, count: number): object {
  if (password === undefined) return others;
  const isList = takesAllFiles(command) && typeof password === "string";
  return { ...others, password: isList ? Array<string>(count).fill(password) : password };
}

async function outcomeOf(calls: Calls, paths: readonly string[]): Promise<Outcome> {
  const folder = temporaryFolder();
  try {
    return await run(calls, paths, folder);
  } catch (thrown) {
    return { kind: "failed", error: serviceError(thrown) };
  } finally {
    removeTemporary(folder);
  }
}

async function run(
  { command, packageUrl, signal, fields, destination, existing, bar }: Calls,
  paths: readonly string[],
  folder: string,
): Promise<Outcome> {
  const files = paths.map(openInput);
  const [first = ""] = paths;
  const name = paths.length > 1 ? `${first} and ${paths.length - 1} more` : first;
  const missingFonts = new Set<string>();
  const onProgress = (progress: Progress) => {
    for (const font of progress.missingFonts ?? []) missingFonts.add(font);
    bar.show(name, progress);
  };
  const params = { ...fields, file: takesAllFiles(command) ? files : files[0] };
  const threads = Math.min(MOST_THREADS, availableParallelism());
  const engines = { packageUrl, folder, threads, fontUrl: fontUrl(process.env) };
  if (command.call === "inspect") return inspected(params, engines);
  const call = { operation: command.call, params };
  const made = await perform(call, { engines, soffice: findOffice(), signal, onProgress });
  const path = await writeResult(made, first, destination, existing);
  return {
    kind: "written",
    path,
    fileName: made.fileName,
    bytes: made.file.size,
    missingFonts: [...missingFonts],
  };
}

async function inspected(params: object, setup: EngineSetup): Promise<Outcome> {
  const inspection = await withClient(setup, (client) =>
    client.inspect(params as Parameters<typeof client.inspect>[0]),
  );
  return { kind: "inspected", inspection };
}

/** Returns what was thrown as an error of the contract. */
function serviceError(thrown: unknown): ServiceError {
  if (isDiskFull(thrown))
    return internalError("The folder for temporary files is full. Make room in it.", "ENOSPC");
  if (thrown instanceof ServiceError) return thrown;
  return internalError("Something unexpected happened. Report it with what was done.", thrown);
}
