import { type ChildProcess, spawn } from "node:child_process";
import { expect, onTestFinished } from "vitest";
import { commandScript, ROOT } from "../../scripts/dependencies.mjs";
import { eventually } from "./eventually.ts";
import { WORKING_OFFICE } from "./started-service.ts";

/** The service as a command. */
export interface ServiceProgram {
  readonly url: string;
  readonly pid: number;
  /** Returns what it has printed so far, to both outputs. */
  readonly output: () => string;
  /** Closes the ends of both outputs that read, as `| head -1` does. */
  readonly stopReading: () => void;
}

/** Returns the arguments with which Node runs a program of this repository. */
export function commandOf(program: string): string[] {
  return program.endsWith(".ts") ? [commandScript("tsx"), program] : [program];
}

/** Starts the service as a command, on a free port. It ends with the test. */
export async function startProgram(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<ServiceProgram> {
  const env = { ...process.env, SOFFICE: WORKING_OFFICE, ...environment };
  // In one process, without the command of tsx, so that its id is that of the service.
  const argv = ["--import", "tsx", "service/serve.ts", "--port", "0", ...args];
  const child = spawn(process.execPath, argv, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => endProgram(child, "SIGTERM"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
  }
  await eventually(() => expect(output).toMatch(/^ +apiKey .*\n/m));
  const url = /^ +baseUrl +(\S+)$/m.exec(output)?.[1] ?? "";
  const stopReading = () => {
    for (const stream of [child.stdout, child.stderr]) stream.destroy();
  };
  return { url, pid: child.pid ?? 0, output: () => output, stopReading };
}

/** Ends a program, and waits for its end. */
export async function endProgram(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => {
    child.on("exit", resolve);
    child.kill(signal);
  });
}
