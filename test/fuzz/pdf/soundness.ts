import { writeFileSync } from "node:fs";
import { runTool, type Scratch } from "../../support/native-tools.ts";

/** What native qpdf says of a file: nothing at all, or a complaint. Undefined when it did not finish. */
async function complaint(
  bytes: Uint8Array,
  password: string | undefined,
  scratch: Scratch,
): Promise<string | undefined> {
  const path = scratch.path("judged.pdf");
  writeFileSync(path, bytes);
  const { code, stdout, stderr, timedOut } = await runTool("qpdf", [
    ...(password === undefined ? [] : [`--password=${password}`]),
    "--check",
    path,
  ]);
  writeFileSync(path, "");
  if (timedOut || code < 0) return undefined;
  return code === 0 ? "" : `${stderr}\n${stdout}`.trim().slice(0, 500);
}

/** Whether native qpdf finds nothing wrong with a file, and a page in it: one with none is rightly refused. */
export async function isSound(
  bytes: Uint8Array,
  password: string | undefined,
  scratch: Scratch,
): Promise<boolean> {
  if ((await complaint(bytes, password, scratch)) !== "") return false;
  const path = scratch.path("counted.pdf");
  writeFileSync(path, bytes);
  const given = password === undefined ? [] : [`--password=${password}`];
  const { stdout } = await runTool("qpdf", [...given, "--show-npages", path]);
  return Number(stdout) > 0;
}

/** The first complaint about any of the files; an empty text when there is none. */
export async function firstComplaint(
  files: readonly Uint8Array[],
  password: string | undefined,
  scratch: Scratch,
): Promise<string> {
  for (const file of files) {
    const found = await complaint(file, password, scratch);
    if (found) return found;
  }
  return "";
}
