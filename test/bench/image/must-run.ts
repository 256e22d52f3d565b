import { runTool, type Tool } from "../../support/native-tools.ts";
import { OracleFailure } from "../../support/oracles.ts";

const MAKE_LIMIT_MS = 300_000;

/** Has a native tool make something that the benchmark needs. */
export async function mustRun(tool: Tool, args: readonly string[]): Promise<void> {
  const run = await runTool(tool, args, MAKE_LIMIT_MS);
  if (run.code !== 0) throw new OracleFailure(`${tool}: ${run.stderr}`);
}
