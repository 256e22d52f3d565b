import { mkdtempSync, readdirSync, rmSync, truncateSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { storeIn } from "../../../../service/platform/pieces.ts";
import { StoredBlob, StoredFile } from "../../../../service/platform/stored-blob.ts";

const folder = mkdtempSync(join(tmpdir(), "stayput-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

const MEGABYTE = 1024 * 1024;
const ALPHABET = "abcdefghijklmnopqrstuvwxyz";

/** Returns the alphabet as a file on disk. */
function onDisk(name = "letters"): { readonly path: string; readonly file: StoredFile } {
  const path = join(folder, name);
  writeFileSync(path, ALPHABET);
  return { path, file: StoredFile.at(path, "letters.txt", "text/plain") };
}

describe("a file on disk", () => {
  test("has the name, type and size of the file", () => {
    const { file } = onDisk();
    expect([file.name, file.type, file.size]).toEqual(["letters.txt", "text/plain", 26]);
    expect(file).toBeInstanceOf(Blob);
    expect(Object.prototype.toString.call(file)).toBe("[object File]");
  });

  test("is read in each way", async () => {
    const { file } = onDisk();
    const bytes = new TextEncoder().encode(ALPHABET);
    expect(await file.text()).toBe(ALPHABET);
    expect(new Uint8Array(await file.arrayBuffer())).toEqual(bytes);
    expect(await file.bytes()).toEqual(bytes);
    expect(file.readSync()).toEqual(bytes);
    expect(await new Response(file.stream()).text()).toBe(ALPHABET);
  });

  test.each([
    ["without bounds", [], ALPHABET],
    ["from the end", [-3], "xyz"],
    ["before the end", [20, -2], "uvwx"],
    ["beyond the end", [24, 99], "yz"],
    ["backwards", [5, 2], ""],
  ])("is sliced %s as a Blob of Node", async (_, bounds, expected) => {
    const { file } = onDisk();
    expect(await file.slice(...bounds).text()).toBe(expected);
    expect(await new Blob([ALPHABET]).slice(...bounds).text()).toBe(expected);
  });

  test("is sliced at whole bytes", async () => {
    expect(await onDisk().file.slice(1.9, 3.9).text()).toBe("bc");
  });

  test("is read as NotReadableError when it has become shorter", async () => {
    const { path, file } = onDisk("shortened");
    truncateSync(path, 10);
    expect(await file.slice(0, 10).text()).toBe("abcdefghij");
    await expect(file.text()).rejects.toMatchObject({ name: "NotReadableError" });
  });

  test("is read as NotReadableError when it is gone, without its path", () => {
    const { path, file } = onDisk("removed");
    unlinkSync(path);
    expect(() => file.readSync()).toThrow(
      expect.objectContaining({ name: "NotReadableError", message: expect.not.stringContaining(path) }),
    );
  });
});

describe("a Blob of parts", () => {
  test("holds texts, bytes, views and other Blobs in order", async () => {
    const view = new Uint8Array([0, 66, 67, 0]).subarray(1, 3);
    const blob = new StoredBlob(["a", view, new Uint8Array([68]).buffer, onDisk().file.slice(4, 6)]);
    expect(await blob.text()).toBe("aBCDef");
    expect(await blob.slice(2, 5).text()).toBe("CDe");
  });

  test("keeps its bytes when the given ones change", async () => {
    const bytes = new Uint8Array([65]);
    const blob = new StoredBlob([bytes]);
    bytes[0] = 66;
    expect(await blob.text()).toBe("A");
  });

  test("joins slices that follow each other", async () => {
    const { file } = onDisk();
    const blob = new StoredBlob([file.slice(0, 5), file.slice(5, 26), new StoredBlob()]);
    expect(blob.pieces).toHaveLength(1);
    expect(await blob.text()).toBe(ALPHABET);
  });

  test("refuses a Blob of Node, which it could not read", () => {
    expect(() => new StoredBlob([new Blob(["a"])])).toThrow(TypeError);
  });

  test("streams large content in steps", async () => {
    const content = new Uint8Array(MEGABYTE).map((_, index) => index % 251);
    const chunks: Uint8Array[] = [];
    for await (const chunk of new StoredBlob([content]).stream()) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(1);
    expect(Buffer.concat(chunks).equals(content)).toBe(true);
  });

  test("writes a megabyte to the folder of its thread, and less not", async () => {
    const own = mkdtempSync(join(folder, "own-"));
    storeIn(own);
    const content = new Uint8Array(MEGABYTE).fill(7);
    expect(new StoredBlob([content.subarray(1)]).pieces).toMatchObject([{ kind: "bytes" }]);
    expect(readdirSync(own)).toEqual([]);
    const stored = new StoredBlob([content.subarray(0, 9), content.subarray(9)]);
    expect(stored.pieces).toMatchObject([{ kind: "range", start: 0, end: MEGABYTE }]);
    expect(readdirSync(own)).toHaveLength(1);
    expect(Buffer.from(await stored.arrayBuffer()).equals(content)).toBe(true);
  });
});
