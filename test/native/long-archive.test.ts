import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import {
  directoryEnd,
  directoryEntry,
  localHeader,
  type StoredFile,
} from "../../workers/archive/zip-records.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";

const missing = announceMissing("archives over 4 GB", ["unzip"]);
const GB = 2 ** 30;

describe.skipIf(missing.length > 0)("an archive over 4 GB", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());
  const lastModified = new Date(Date.UTC(2026, 1, 3, 4, 5, 6));
  const text = Buffer.from("behind 5 GB\n");

  /** An archive of a sparse file and a small file after it. */
  async function longArchive(): Promise<string> {
    const path = scratch.path("long.zip");
    const name = (name: string) => new TextEncoder().encode(name);
    const long: StoredFile = { name: name("long.pdf"), lastModified, crc: 0, length: 5 * GB, offset: 0 };
    const offset = localHeader(long).length + long.length;
    const small = { name: name("small.txt"), lastModified, crc: crc32(text), length: text.length, offset };
    const directory = [directoryEntry(long), directoryEntry(small)];
    const start = small.offset + localHeader(small).length + small.length;
    const length = directory.reduce((sum, entry) => sum + entry.length, 0);
    const end = directoryEnd({ entries: 2, length, offset: start });
    const file = await open(path, "w");
    await file.write(localHeader(long), 0, null, 0);
    await file.write(Buffer.concat([localHeader(small), text, ...directory, end]), 0, null, small.offset);
    await file.close();
    return path;
  }

  test("is listed by unzip, which extracts entries beyond 4 GB", async () => {
    const path = await longArchive();
    const { stdout, stderr, code } = await runTool("unzip", ["-l", path]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout.toString()).toMatch(/^\s*5368709120\s+2026-02-03 04:05\s+long\.pdf$/m);
    expect(stdout.toString()).toMatch(/^\s*12\s+2026-02-03 04:05\s+small\.txt$/m);
    expect((await runTool("unzip", ["-p", path, "small.txt"])).stdout).toEqual(text);
  });
});
