import { extname, join } from "node:path";
import { runTool } from "../../support/native-tools.ts";
import { qpdfIsEncrypted, qpdfPageCount, unzipNames } from "../../support/oracles.ts";
import { emptyFolder, filesIn } from "./output-folder.ts";
import { PASSWORD, pagesOfSplit, type Task } from "./task.ts";

/**
 * Looks at what was made: speed counts only when the work was done. Of very many files, some are opened.
 *
 * @throws {Error} which says what is not as it should be
 */
export async function checkOutput(task: Task, scratchFolder: string): Promise<void> {
  const { operation, output, pageCount } = task;
  const files = await documentsIn(output, scratchFolder, task.timeLimitMs);
  const count = operation === "every page" ? pageCount : 1;
  if (files.length !== count) throw new Error(`the output is ${files.length} files, not ${count}`);
  for (const open of new Set([files[0], files[Math.floor(count / 2)], files.at(-1)])) {
    const path = await open?.();
    if (path === undefined) continue;
    const isEncrypted = await qpdfIsEncrypted(path);
    if (isEncrypted !== (operation === "protect"))
      throw new Error(`the output is ${isEncrypted ? "" : "not "}encrypted`);
    const found = await qpdfPageCount(path, isEncrypted ? PASSWORD : undefined);
    const pages = pagesIn(task);
    if (found !== pages) throw new Error(`a file of the output has ${found} pages, not ${pages}`);
  }
}

function pagesIn({ operation, pageCount }: Task): number {
  if (operation === "every page") return 1;
  return operation === "split" ? pagesOfSplit(pageCount) : pageCount;
}

type Opener = () => Promise<string>;

/** The documents in a folder, or in the one archive there, in order; each is unpacked when it is asked for. */
async function documentsIn(
  folder: string,
  scratchFolder: string,
  timeLimitMs: number,
): Promise<readonly Opener[]> {
  const files = filesIn(folder);
  const [archive] = files;
  if (archive === undefined) throw new Error("there is no output");
  if (extname(archive) !== ".zip") return files.map((path) => async () => path);
  const test = await runTool("unzip", ["-tqq", archive], timeLimitMs);
  if (test.code !== 0) throw new Error(`the archive is not sound: ${test.stderr}`);
  emptyFolder(scratchFolder);
  return (await unzipNames(archive)).map((name) => async () => {
    await runTool("unzip", ["-qq", "-o", archive, name, "-d", scratchFolder], timeLimitMs);
    return join(scratchFolder, name);
  });
}
