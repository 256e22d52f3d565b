// Runs native programs for the process that has forked it, see native-tools.ts. It imports only Node's modules and stays
// small, because Linux copies the page tables of a process for each program that it starts.
import { spawn } from "node:child_process";

const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * @typedef {{ id: number, tool: string, args: readonly string[], timeLimitMs: number }} ToolRequest
 * @typedef {{ code: number, stdout: Buffer, stderr: string, timedOut: boolean }} ToolRun
 */

/**
 * Runs a program until it ends or exceeds a limit of time or output. Never rejects.
 *
 * @param {ToolRequest} request
 * @returns {Promise<ToolRun>}
 */
function run({ tool, args, timeLimitMs }) {
  return new Promise((resolve) => {
    const child = spawn(tool, args, { stdio: ["ignore", "pipe", "pipe"] });
    /** @type {Buffer[]} */
    const out = [];
    /** @type {Buffer[]} */
    const err = [];
    let taken = 0;
    let timedOut = false;
    const collect = (/** @type {Buffer[]} */ into) => (/** @type {Buffer} */ chunk) => {
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
    const finish = (/** @type {number} */ code, problem = "") => {
      clearTimeout(timer);
      const stderr = Buffer.concat(err).toString("utf8") + problem;
      resolve({ code, stdout: Buffer.concat(out), stderr, timedOut });
    };
    child.on("error", (error) => finish(-1, error.message));
    child.on("close", (code) => finish(code ?? -1));
  });
}

process.on("message", async (/** @type {ToolRequest} */ request) => {
  const answer = await run(request);
  if (process.connected) process.send?.({ id: request.id, run: answer });
});
// The process that has forked it has ended.
process.on("disconnect", () => process.exit());
