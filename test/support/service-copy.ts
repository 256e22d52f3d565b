import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/dependencies.mjs";

/** The key of all copies. */
export const COPY_KEY = "secret";

/** Where a copy keeps its files. */
export interface CopyFolders {
  /** Results, also of other copies. */
  readonly results: string;
  /** Takes the place of the system's folder for temporary files. */
  readonly temporary: string;
}

/** The arguments of Node that start the service from its sources. */
const SOURCES = ["--import", import.meta.resolve("tsx"), join(ROOT, "service", "serve.ts")];

/** A copy of the service in a process of its own. */
export class ServiceCopy {
  readonly url: string;
  readonly folders: CopyFolders;
  /** What it has logged: one JSON object in a line. */
  readonly log: readonly string[];
  readonly #child: ChildProcess;

  private constructor(url: string, folders: CopyFolders, log: readonly string[], child: ChildProcess) {
    this.url = url;
    this.folders = folders;
    this.log = log;
    this.#child = child;
  }

  /**
   * Starts the service.
   *
   * @param args further options of its command line
   * @param program the arguments of Node that start it. Default: its sources
   * @throws {Error} when it ends before it answers
   */
  static async start(
    folders: CopyFolders,
    args: readonly string[] = [],
    program: readonly string[] = SOURCES,
  ): Promise<ServiceCopy> {
    for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
    const options = ["--port", "0", "--results", folders.results, ...args];
    const child = spawn(process.execPath, [...program, ...options], {
      env: { ...process.env, TMPDIR: folders.temporary, STAYPUT_SERVICE_KEY: COPY_KEY },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const log: string[] = [];
    collectLines(child.stdout, (line) => log.push(line));
    const url = await new Promise<string>((resolve, reject) => {
      let printed = "";
      child.once("exit", () => reject(new Error(`the service has ended: ${printed}`)));
      collectLines(child.stderr, (line) => {
        printed += `${line}\n`;
        const [, found] = /baseUrl +(\S+)/.exec(line) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    return new ServiceCopy(url, folders, log, child);
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error("the service has no process");
    return pid;
  }

  /** The names of the folders of calls, which it keeps while they run. */
  get calls(): string[] {
    return filesBelow(this.folders.temporary).filter((name) => /^job-/.test(name));
  }

  /** Sends a signal, and waits for the end of the process. Returns its exit code, or the signal that has ended it. */
  async end(signal: "SIGTERM" | "SIGKILL"): Promise<number | string> {
    const ended = this.ended();
    this.#child.kill(signal);
    return ended;
  }

  /** Waits for the end of the process. */
  async ended(): Promise<number | string> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return exitCode ?? signalCode ?? "";
    const [code, by] = await once(this.#child, "exit");
    return code ?? by;
  }
}

/** Returns the working folders of services in a folder for temporary files. */
export function workingFolders(temporary: string): string[] {
  return readdirSync(temporary).filter((name) => name.startsWith("stayput-service-"));
}

/** Returns the files in a results folder that belong to no whole result. */
export function strayResults(results: string): string[] {
  const names = readdirSync(results);
  const isWhole = (name: string) => {
    const id = name.replace(/\.(bin|json)$/, "");
    return id !== name && names.includes(`${id}.bin`) && names.includes(`${id}.json`);
  };
  return names.filter((name) => !isWhole(name));
}

function filesBelow(temporary: string): string[] {
  return workingFolders(temporary).flatMap((name) => readdirSync(join(temporary, name)));
}

function collectLines(stream: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  let rest = "";
  stream?.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
}
