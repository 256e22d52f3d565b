import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { buildPackageOnce } from "../../scripts/built.mjs";
import { ROOT } from "../../scripts/dependencies.mjs";
import { Scratch } from "./native-tools.ts";

/** How a command has ended. */
export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** What a command gets beside its arguments. */
export interface CommandSetup {
  readonly environment?: NodeJS.ProcessEnv;
  /** What it reads from its standard input. */
  readonly input?: string;
}

/** The command `stayput-service` in a folder of its own, where temporary files go into `temporary`. */
export interface CommandLine {
  readonly scratch: Scratch;
  /** The folder that it runs in. */
  readonly folder: string;
  readonly temporary: string;
  /** Returns what commands have left in `temporary`. */
  leftovers(): readonly string[];
  start(args: readonly string[], environment?: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams;
  run(args: readonly string[], setup?: CommandSetup): Promise<CommandEnd>;
}

/** The arguments with which Node runs the command from the sources, in any folder. */
export const COMMAND_SCRIPT = [
  "--import",
  // In one process, so that a signal reaches the command itself.
  import.meta.resolve("tsx"),
  join(ROOT, "service", "cli", "main.ts"),
];

/** Builds the package before the tests of a file, whose engines the commands run. */
export function commandLine(): CommandLine {
  const scratch = new Scratch();
  beforeAll(buildPackageOnce);
  afterAll(() => scratch.remove());
  const folder = scratch.path("files");
  const temporary = scratch.path("temporary");
  for (const path of [folder, temporary]) mkdirSync(path);
  const start: CommandLine["start"] = (args, environment) => {
    const env = { ...process.env, TMPDIR: temporary, ...environment };
    return spawn(process.execPath, [...COMMAND_SCRIPT, ...args], { cwd: folder, env });
  };
  const run: CommandLine["run"] = async (args, { environment, input = "" } = {}) => {
    const child = start(args, environment);
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    // A command that reads no input may end before it is written.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const [code] = await once(child, "close");
    return { code, stdout: Buffer.concat(output), stderr: Buffer.concat(errors).toString("utf8") };
  };
  // The loader of TypeScript keeps its cache in a folder "tsx-…".
  const leftovers = () => readdirSync(temporary).filter((name) => !name.startsWith("tsx-"));
  return { scratch, folder, temporary, leftovers, start, run };
}
