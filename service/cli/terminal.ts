import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";

/** A terminal, for questions to the user. */
export interface Terminal {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

/** Returns the terminal of this process. Returns undefined when it runs in a script or in a pipe. */
export function terminalOfProcess(): Terminal | undefined {
  const { stdin, stderr } = process;
  return stdin.isTTY && stderr.isTTY ? { input: stdin, output: stderr } : undefined;
}

/**
 * Asks for a secret, without showing what is typed. Ctrl C ends the process as it does at any time.
 *
 * @returns undefined for an empty line, and at the end of the input
 */
export async function askSecret(question: string, { input, output }: Terminal): Promise<string | undefined> {
  // The library edits the line as at any prompt, and writes it to nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  output.write(question);
  const answer = await new Promise<string | undefined>((resolve) => {
    lines.once("line", resolve);
    lines.once("close", () => resolve(undefined));
    lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  });
  lines.close();
  output.write("\n");
  return answer || undefined;
}
