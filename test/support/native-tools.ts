import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The native programs that check our output. */
export type Tool =
  | "qpdf"
  | "mutool"
  | "pdftotext"
  | "pdftoppm"
  | "pdfinfo"
  | "unzip"
  | "heif-enc"
  | "heif-convert"
  | "heif-info"
  | "libde265-dec265"
  | "vips"
  | "vipsheader"
  | "pdfimages"
  | "cwebp"
  | "dwebp";

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
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

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

/** Runs a native program until it ends or exceeds a limit of time or output. Never rejects. */
export function runTool(tool: Tool, args: readonly string[], timeLimitMs = TIME_LIMIT_MS): Promise<ToolRun> {
  return new Promise((resolve) => {
    const child = spawn(tool, args, { stdio: ["ignore", "pipe", "pipe"] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let taken = 0;
    let timedOut = false;
    const collect = (into: Buffer[]) => (chunk: Buffer) => {
      taken += chunk.length;
      if (taken <= OUTPUT_LIMIT_BYTES) into.push(chunk);
      else child.kill("SIGKILL");
    };
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill("SIGKILL");
    }, timeLimitMs);
    child.stdout.on("data", collect(out));
    child.stderr.on("data", collect(err));
    const finish = (code: number, problem = "") => {
      clearTimeout(timer);
      const stderr = Buffer.concat(err).toString("utf8") + problem;
      resolve({ code, stdout: Buffer.concat(out), stderr, timedOut });
    };
    child.on("error", (error) => finish(-1, error.message));
    child.on("close", (code) => finish(code ?? -1));
  });
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
