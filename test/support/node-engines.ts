import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll } from "vitest";
import { buildPackageOnce } from "../../scripts/built.mjs";
import { ROOT } from "../../scripts/dependencies.mjs";
import { type EngineCall, type EngineSetup, runCall } from "../../service/platform/run-call.ts";
import { StoredFile } from "../../service/platform/stored-blob.ts";
import { Scratch } from "./native-tools.ts";

/** The folder of the built package. */
export const PACKAGE_URL = pathToFileURL(join(ROOT, "dist", "/"));

/** An operation with files on disk, and the path of its result. */
export interface NodeEngines {
  readonly scratch: Scratch;
  /**
   * @param paths of the files, one or several
   * @throws {ServiceError} the error of the call
   */
  run(
    operation: EngineCall["operation"],
    paths: readonly string[],
    fields?: object,
    setup?: Partial<EngineSetup>,
  ): Promise<{ readonly path: string; readonly type: string; readonly fileName: string }>;
}

/** Builds the package before the tests of a file, and runs its engines in Node. */
export function nodeEngines(): NodeEngines {
  const scratch = new Scratch();
  beforeAll(buildPackageOnce);
  afterAll(() => scratch.remove());
  const run: NodeEngines["run"] = async (operation, paths, fields = {}, setup = {}) => {
    const folder = mkdtempSync(scratch.path("call-"));
    const files = paths.map((path) => StoredFile.at(path, path.replace(/^.*\//, "")));
    const params = { file: files.length === 1 ? files[0] : files, ...fields };
    const { file, fileName } = await runCall(
      { operation, params },
      { packageUrl: PACKAGE_URL, folder, ...setup },
    );
    const path = join(folder, fileName);
    writeFileSync(path, file.readSync());
    return { path, type: file.type, fileName };
  };
  return { scratch, run };
}
