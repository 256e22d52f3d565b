import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { StoredResults } from "../../../../service/http/stored-results.ts";
import { StoredBlob, StoredFile } from "../../../../service/platform/stored-blob.ts";

const LONG = { lifetimeMs: 600_000, most: 100 };
/** An id as the service makes them. */
const ID = "A".repeat(22);
const { signal } = new AbortController();

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stayput-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

/** Opens the folder, as another copy of the service does. */
async function open(limits = LONG): Promise<StoredResults> {
  const results = await StoredResults.open(folder, limits, (thrown) => expect(thrown).toBeUndefined());
  onTestFinished(() => results.close());
  return results;
}

function made(content = "content", fileName = "a.pdf") {
  return { file: new StoredBlob([content], { type: "application/pdf" }), fileName };
}

/** Returns the content of a result, or undefined. */
async function contentOf(results: StoredResults, id: string): Promise<string | undefined> {
  const found = await results.get(id);
  const content = await found?.file.readFile("utf8");
  await found?.file.close();
  return content;
}

describe("a result", () => {
  test("is found by each copy of the service, and after a restart", async () => {
    const [one, other] = [await open(), await open()];
    const id = await one.add(made("content", "Übersicht.pdf"), signal);
    expect(await contentOf(other, id)).toBe("content");
    one.close();
    const found = await (await open()).get(id);
    expect(found).toMatchObject({ type: "application/pdf", fileName: "Übersicht.pdf" });
    await found?.file.close();
  });

  test("of several pieces on disk and in memory is whole", async () => {
    const path = join(folder, "input");
    writeFileSync(path, "from the disk");
    const file = new StoredBlob(["a ", StoredFile.at(path, "input").slice(5), new Uint8Array(2_000_000)]);
    const results = await open();
    const id = await results.add({ file, fileName: "a.pdf" }, signal);
    expect(readFileSync(join(folder, `${id}.bin`)).equals(Buffer.from(file.readSync()))).toBe(true);
  });

  test("that expired is deleted by the copy that comes across it", async () => {
    const [one, other] = [await open({ ...LONG, lifetimeMs: 0 }), await open()];
    const id = await one.add(made(), signal);
    expect(await other.get(id)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("that expired is deleted when the folder is opened", async () => {
    const one = await open({ ...LONG, lifetimeMs: 0 });
    one.close();
    await one.add(made(), signal);
    await open();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("stays when another copy, which keeps its results for less time, opens the folder", async () => {
    const one = await open();
    const id = await one.add(made(), signal);
    const earlier = (Date.now() - LONG.lifetimeMs / 2) / 1000;
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), earlier, earlier);
    await open({ ...LONG, lifetimeMs: 1_000 });
    expect(await contentOf(one, id)).toBe("content");
  });

  test("that is not written to its end is none, and is deleted later", async () => {
    const results = await open();
    for (const ending of ["part", "bin"]) writeFileSync(join(folder, `${ID}.${ending}`), "half");
    expect(await results.get(ID)).toBeUndefined();
    await open();
    expect(readdirSync(folder)).toHaveLength(2);
    const longAgo = (Date.now() - 2 * LONG.lifetimeMs) / 1000;
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), longAgo, longAgo);
    await open();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("whose description was cut off by a power failure is deleted", async () => {
    for (const ending of ["json", "bin"]) writeFileSync(join(folder, `${ID}.${ending}`), "");
    expect(await (await open()).get(ID)).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each(["null", "5", "{}", '{"expires":"never"}'])(
    "whose description is %s is deleted",
    async (text) => {
      for (const ending of ["json", "bin"]) writeFileSync(join(folder, `${ID}.${ending}`), text);
      expect(await (await open()).get(ID)).toBeUndefined();
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test("leaves nothing when it cannot be stored", async () => {
    const path = join(folder, "input");
    writeFileSync(path, "content");
    const file = StoredFile.at(path, "input");
    rmSync(path);
    const results = await open();
    await expect(results.add({ file, fileName: "a.pdf" }, signal)).rejects.toMatchObject({ code: "ENOENT" });
    writeFileSync(path, "content");
    const aborted = AbortSignal.abort(new Error("the caller is gone"));
    await expect(results.add({ file, fileName: "a.pdf" }, aborted)).rejects.toThrow("the caller is gone");
    expect(readdirSync(folder)).toEqual(["input"]);
  });
});

test("other files in the folder stay", async () => {
  const names = ["package.json", "notes.txt", "photo.bin", "settings.json"];
  for (const name of names) writeFileSync(join(folder, name), "not a result");
  const longAgo = (Date.now() - 2 * LONG.lifetimeMs) / 1000;
  for (const name of names) utimesSync(join(folder, name), longAgo, longAgo);
  const results = await open({ ...LONG, most: 1 });
  for (const content of ["one", "two"]) await results.add(made(content), signal);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(names));
  expect(readdirSync(folder)).toHaveLength(names.length + 2);
});

test.each(["json", "bin", "part"])("a folder named like a file of a result stays: .%s", async (ending) => {
  const [name, file] = [`${ID}.${ending}`, `${ID}.${ending === "json" ? "bin" : "json"}`];
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, file), "null");
  const longAgo = (Date.now() - 2 * LONG.lifetimeMs) / 1000;
  for (const path of [name, file]) utimesSync(join(folder, path), longAgo, longAgo);
  const results = await open({ ...LONG, most: 1 });
  expect(await results.get(ID)).toBeUndefined();
  await results.add(made(), signal);
  expect(readdirSync(folder)).toContain(name);
  expect(readdirSync(folder)).toHaveLength(3);
});

test("the oldest results go when there are too many", async () => {
  const results = await open({ ...LONG, most: 2 });
  const ids: string[] = [];
  for (const [index, content] of ["one", "two", "three"].entries()) {
    const id = await results.add(made(content), signal);
    const time = Date.now() / 1000 - 100 + index;
    if (existsSync(join(folder, `${id}.json`))) utimesSync(join(folder, `${id}.json`), time, time);
    ids.push(id);
  }
  expect(await Promise.all(ids.map((id) => contentOf(results, id)))).toEqual([undefined, "two", "three"]);
  expect(readdirSync(folder)).toHaveLength(4);
});
