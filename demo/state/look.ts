import { batch } from "@preact/signals";
import { type Inspection, ServiceError } from "../../src/index.ts";
import { client } from "./client.ts";
import { fileKind, needsPassword } from "./task.ts";
import { makeThumbnail } from "./thumbnails.ts";
import { addFiles, type TrayFile } from "./tray.ts";

/** Adds files to the tray and looks at them. */
export function takeFiles(files: Iterable<File>): void {
  for (const file of addFiles(files)) void look(file);
}

/** Takes the password of a locked file, as typed, and opens the file with it. */
export async function unlockWith(file: TrayFile, password: string): Promise<void> {
  file.password.value = password;
  await look(file);
}

/** Looks at a file: what it is, whether it opens. Then makes its thumbnail. */
async function look(file: TrayFile): Promise<void> {
  const password = file.password.value;
  try {
    const inspection = await client.inspect({
      file: file.file,
      ...(password === "" ? {} : { password }),
    });
    if (password !== file.password.value) return;
    learn(file, inspection, undefined);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (password !== file.password.value) return;
    // A wrong password tells nothing new about the file.
    learn(file, file.inspection.value, error);
  }
  if (fileKind(file) !== undefined && !needsPassword(file)) await makeThumbnail(file);
}

function learn(file: TrayFile, inspection: Inspection | undefined, problem: ServiceError | undefined): void {
  batch(() => {
    file.inspection.value = inspection;
    file.problem.value = problem;
  });
}
