import { batch } from "@preact/signals";
import { ServiceError } from "../../src/index.ts";
import { client } from "./client.ts";
import { addFiles, type TrayFile } from "./tray.ts";

const looks = new Set<Promise<void>>();

/** Adds files to the tray and looks at them. */
export function takeFiles(files: Iterable<File>): void {
  for (const file of addFiles(files)) void track(look(file, ""));
}

/** Opens a locked file with a password that the user has typed. Keeps the password if the file opens. */
export function openWith(file: TrayFile, password: string): Promise<void> {
  return track(look(file, password));
}

/** Waits until all files of this moment are looked at. */
export async function allSeen(): Promise<void> {
  await Promise.all(looks);
}

async function track(work: Promise<void>): Promise<void> {
  looks.add(work);
  await work.finally(() => looks.delete(work));
}

/** Looks at a file: what it is, whether it opens. */
async function look(file: TrayFile, password: string): Promise<void> {
  try {
    const inspection = await client.inspect({
      file: file.file,
      ...(password === "" ? {} : { password }),
    });
    batch(() => {
      file.inspection.value = inspection;
      file.password.value = password;
      file.problem.value = undefined;
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    batch(() => {
      file.password.value = "";
      file.problem.value = error;
    });
  }
}
