import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openInput, pathsOf } from "../../../../service/cli/input-files.ts";
import { type Destination, destinationOf, writeResult } from "../../../../service/cli/results.ts";
import { StoredBlob } from "../../../../service/platform/stored-blob.ts";
import { Scratch } from "../../../support/native-tools.ts";

const scratch = new Scratch();
afterAll(() => scratch.remove());

/** Makes a folder with empty files. */
function folderWith(...names: readonly string[]): string {
  const folder = scratch.path("folder");
  mkdirSync(folder);
  for (const name of names) writeFileSync(join(folder, name), "");
  return folder;
}

function made(content: string, fileName = "made.pdf") {
  return { file: new StoredBlob([content]), fileName };
}

describe("input files", () => {
  test("are found by a pattern that the shell has left", () => {
    const folder = folderWith("b.pdf", "a.pdf", "c.txt");
    expect(pathsOf([join(folder, "*.pdf")])).toEqual([join(folder, "a.pdf"), join(folder, "b.pdf")]);
    expect(pathsOf([join(folder, "?.txt")])).toEqual([join(folder, "c.txt")]);
  });

  test("may have the name of a pattern", () => {
    const folder = folderWith("a*.pdf", "ab.pdf");
    expect(pathsOf([join(folder, "a*.pdf")])).toEqual([join(folder, "a*.pdf")]);
  });

  test.each([
    ["no file", [], "missing_parameter"],
    ["a pattern without a file", ["/nowhere/*.pdf"], "not_found"],
    ["the standard input", ["-"], "invalid_parameter"],
  ])("must not be %s", (_title, given, code) => {
    expect(() => pathsOf(given)).toThrow(expect.objectContaining({ code }));
  });

  test.each([
    ["that is not there", "absent", "not_found"],
    ["below a file", "a.pdf/b.pdf", "not_found"],
    ["whose name is too long", "a".repeat(300), "not_found"],
    ["that is a folder", ".", "unsupported_input"],
  ])("one %s is refused", (_title, name, code) => {
    const folder = folderWith("a.pdf");
    expect(() => openInput(join(folder, name))).toThrow(expect.objectContaining({ code }));
  });

  test("a device is refused", () => {
    expect(() => openInput("/dev/null")).toThrow(expect.objectContaining({ code: "unsupported_input" }));
  });
});

describe("results", () => {
  const beside: Destination = { kind: "beside input" };

  test("are written beside the input, and leave nothing else", async () => {
    const folder = folderWith("a.pdf");
    expect(await writeResult(made("new"), join(folder, "a.pdf"), beside, "kept")).toBe(
      join(folder, "made.pdf"),
    );
    expect(readFileSync(join(folder, "made.pdf"), "utf8")).toBe("new");
    expect(readdirSync(folder)).toEqual(["a.pdf", "made.pdf"]);
  });

  test("overwrite a file only when that is asked for", async () => {
    const folder = folderWith("a.pdf", "made.pdf");
    const write = (existing: "kept" | "overwritten") =>
      writeResult(made("new"), join(folder, "a.pdf"), beside, existing);
    await expect(write("kept")).rejects.toMatchObject({ code: "invalid_parameter", message: /--force/ });
    expect(readFileSync(join(folder, "made.pdf"), "utf8")).toBe("");
    await write("overwritten");
    expect(readFileSync(join(folder, "made.pdf"), "utf8")).toBe("new");
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test("do not overwrite a file that appears while they are written", async () => {
    const folder = folderWith("a.pdf");
    const writes = ["one", "two"].map((text) =>
      writeResult(made(text), join(folder, "a.pdf"), beside, "kept"),
    );
    const ends = await Promise.allSettled(writes);
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test("may replace their own input", async () => {
    const folder = folderWith();
    const path = join(folder, "made.pdf");
    writeFileSync(path, "old");
    const { pieces } = openInput(path);
    const file = StoredBlob.ofPieces([...pieces, ...new StoredBlob([" and new"]).pieces]);
    await writeResult({ file, fileName: "made.pdf" }, path, beside, "overwritten");
    expect(readFileSync(path, "utf8")).toBe("old and new");
  });

  test.each(["a file", "no file yet"])(
    "go where a symbolic link to %s leads, and leave the link",
    async (to) => {
      const folder = folderWith();
      for (const name of ["links", "files"]) mkdirSync(join(folder, name));
      const [link, target] = [join(folder, "links", "b.pdf"), join(folder, "files", "c.pdf")];
      symlinkSync(join("..", "files", "c.pdf"), link);
      if (to === "a file") writeFileSync(target, "old");
      const existing = to === "a file" ? "overwritten" : "kept";
      const destination: Destination = { kind: "file", path: link };
      expect(await writeResult(made("new"), "a.pdf", destination, existing)).toBe(link);
      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(readFileSync(target, "utf8")).toBe("new");
      expect(readdirSync(folder, { recursive: true })).toHaveLength(4);
    },
  );

  test("do not replace a device", async () => {
    const link = join(folderWith(), "b.pdf");
    symlinkSync("/dev/null", link);
    const write = writeResult(made("new"), "a.pdf", { kind: "file", path: link }, "overwritten");
    await expect(write).rejects.toMatchObject({ code: "invalid_parameter", message: /is no file/ });
  });

  test("never leave the folder by their name", async () => {
    const folder = folderWith("a.pdf");
    const path = await writeResult(made("new", "../../up.pdf"), join(folder, "a.pdf"), beside, "kept");
    expect(dirname(path ?? "")).toBe(folder);
  });

  test.each([
    ["a", 1],
    ["頁", 3],
    ["𠀀", 4],
  ])("have a name of at most 255 bytes, and their ending: %s", async (character, bytes) => {
    const folder = folderWith();
    const name = `protected-${character.repeat(Math.floor(251 / bytes))}.pdf`;
    const path = await writeResult(made("new", name), join(folder, "a.pdf"), beside, "kept");
    const [stored = ""] = readdirSync(folder);
    expect(path).toBe(join(folder, stored));
    expect(stored).toMatch(/^protected-.*\.pdf$/);
    expect(name.startsWith(stored.slice(0, -4))).toBe(true);
    expect(Buffer.byteLength(stored)).toBeGreaterThan(255 - bytes);
  });

  test("have an error of the contract for a name that is too long", async () => {
    const destination: Destination = { kind: "file", path: join(folderWith(), "a".repeat(300)) };
    const write = writeResult(made("new"), "a.pdf", destination, "kept");
    await expect(write).rejects.toMatchObject({ code: "not_found", message: /name is too long/ });
  });

  test("that are archives do not get the name of another format", async () => {
    const folder = folderWith();
    const destination: Destination = { kind: "file", path: join(folder, "page.jpg") };
    const write = writeResult(made("PK", "pages.zip"), join(folder, "a.pdf"), destination, "kept");
    await expect(write).rejects.toMatchObject({ code: "invalid_parameter", message: /archive/ });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("have an error of the contract for a folder that is not there", async () => {
    const destination: Destination = { kind: "file", path: join(folderWith(), "no", "a.pdf") };
    const write = writeResult(made("new"), "a.pdf", destination, "kept");
    await expect(write).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the option output", () => {
  test("has an error of the contract for links that lead nowhere", () => {
    const link = join(folderWith(), "b.pdf");
    symlinkSync(link, link);
    const refused = expect.objectContaining({ code: "not_found", message: expect.stringContaining("loop") });
    expect(() => destinationOf(link, 1, "overwritten")).toThrow(refused);
  });

  test("names a folder if it is one, ends with a slash, or takes several results", () => {
    const folder = folderWith();
    const at = (output: string, count: number) => destinationOf(output, count, "kept");
    expect(at(folder, 1)).toEqual({ kind: "folder", path: folder });
    for (const [name, count] of [
      ["new/", 1],
      ["many", 2],
    ] as const) {
      const path = `${folder}/${name}`;
      expect(at(path, count)).toEqual({ kind: "folder", path });
      expect(existsSync(path)).toBe(true);
    }
  });

  test("names the file of the only result", () => {
    const path = join(folderWith(), "b.pdf");
    expect(destinationOf(path, 1, "kept")).toEqual({ kind: "file", path });
    expect(destinationOf("-", 1, "kept")).toEqual({ kind: "standard output" });
  });

  test("refuses a file that is there, a file for several results, and several on the standard output", () => {
    const path = join(folderWith("a.pdf"), "a.pdf");
    for (const [output, count] of [
      [path, 1],
      [path, 2],
      ["-", 2],
    ] as const)
      expect(() => destinationOf(output, count, "kept")).toThrow(
        expect.objectContaining({ code: "invalid_parameter" }),
      );
    expect(destinationOf(path, 1, "overwritten")).toEqual({ kind: "file", path });
  });
});
