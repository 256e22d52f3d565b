import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The native programs that check our output. */
export type Tool =
  | "qpdf"
  | "mutool"
  | "pdftotext"
  | "pdftoppm"
  | "pdfinfo"
  | "pdfdetach"
  | "exiftool"
  | "unzip"
  | "heif-enc"
  | "heif-convert"
  | "heif-info"
  | "libde265-dec265"
  | "vips"
  | "vipsheader"
  | "pdfimages"
  | "tiffcp"
  | "cwebp"
  | "dwebp"
  | "cjxl"
  | "djxl";

/** How a native program ended. */
export interface ToolRun {
  /** The exit code; -1 when the program was killed or could not start. */
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly timedOut: boolean;
}

/** Ends a program that hangs, but not one on a busy machine. */
const TIME_LIMIT_MS = 300_000;

const found = new Map<Tool, boolean>();

/** Whether the program is on this machine. */
export function hasTool(tool: Tool): boolean {
  let present = found.get(tool);
  if (present === undefined) {
    // All of these programs start with `-v`, though some exit with an error.
    present = spawnSync(tool, ["-v"], { stdio: "ignore", timeout: TIME_LIMIT_MS }).error === undefined;
    found.set(tool, present);
  }
  return present;
}

/**
 * Returns the programs that this machine lacks, and prints them on stderr. A suite that needs one of them is
 * skipped and says so.
 */
export function announceMissing(suite: string, tools: readonly Tool[]): readonly Tool[] {
  const missing = tools.filter((tool) => !hasTool(tool));
  if (missing.length > 0) {
    process.stderr.write(`SKIPPED: ${suite}: not on this machine: ${missing.join(", ")}\n`);
  }
  return missing;
}

/** The process that runs native programs, and the callers that wait for it. */
interface ToolServer {
  readonly process: ChildProcess;
  readonly waiting: Map<number, (run: ToolRun) => void>;
}

let server: ToolServer | undefined;
let requests = 0;

/**
 * Runs a native program until it ends or exceeds a limit of time or output. Never rejects.
 *
 * A small process of its own starts the program. Starting one from a process with 300 MB takes 11 ms of that process and
 * 25 ms of the kernel's time, measured with `qpdf --version`; from a small one, 3 ms.
 */
export function runTool(tool: Tool, args: readonly string[], timeLimitMs = TIME_LIMIT_MS): Promise<ToolRun> {
  return new Promise((resolve) => {
    server ??= startServer();
    const { process: child, waiting } = server;
    const id = requests++;
    waiting.set(id, resolve);
    // The process lives as long as this one, which it does not keep alive on its own.
    child.ref();
    child.channel?.ref();
    child.send({ id, tool, args, timeLimitMs });
  });
}

function startServer(): ToolServer {
  const path = fileURLToPath(new URL("./tool-server.mjs", import.meta.url));
  const child = fork(path, [], { execArgv: [], serialization: "advanced" });
  const waiting: ToolServer["waiting"] = new Map();
  child.on("message", ({ id, run }: { readonly id: number; readonly run: ToolRun }) => {
    waiting.get(id)?.(run);
    waiting.delete(id);
    if (waiting.size > 0) return;
    child.unref();
    child.channel?.unref();
  });
  child.on("exit", () => {
    server = undefined;
    const run = { code: -1, stdout: Buffer.alloc(0), stderr: "the tool server has ended", timedOut: false };
    for (const resolve of waiting.values()) resolve(run);
  });
  return { process: child, waiting };
}

/** A new temporary directory for one suite or run. */
export class Scratch {
  readonly directory = mkdtempSync(join(tmpdir(), "stayput-"));
  #next = 0;

  /** Returns an unused path in the directory that ends in `name`. */
  path(name: string): string {
    this.#next += 1;
    return join(this.directory, `${this.#next}-${name}`);
  }

  /** Deletes the directory and its content. */
  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
