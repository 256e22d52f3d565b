import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { unzipInto, unzipNames, unzipTest } from "../support/oracles.ts";

/**
 * Unpacks an archive below a directory and returns its files in order.
 *
 * @throws {OracleFailure} when `unzip` finds the archive unsound
 */
export async function unpack(archive: string, directory: string): Promise<readonly string[]> {
  await unzipTest(archive);
  const names = await unzipNames(archive);
  const files = join(directory, "files");
  mkdirSync(files, { recursive: true });
  await unzipInto(archive, files);
  return names.map((name) => join(files, name));
}
