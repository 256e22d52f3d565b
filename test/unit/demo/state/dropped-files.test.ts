import { expect, test } from "vitest";
import { filesOf } from "../../../../demo/state/dropped-files.ts";

/** Something in a folder: a folder, or a file that can be read or not. */
type Item = readonly Entry[] | "file" | "unreadable";
type Entry = readonly [name: string, item: Item];

const refusal = new DOMException("The file could not be read.", "NotReadableError");

/** Returns an entry as browsers have it. A folder gives its entries in two parts. */
function entryOf([name, item]: Entry): object {
  if (typeof item === "string") {
    const file = (resolve: (file: File) => void, reject: (error: unknown) => void) =>
      item === "file" ? resolve(new File(["x"], name)) : reject(refusal);
    return { name, isFile: true, isDirectory: false, file };
  }
  const parts = [item.slice(0, 2), item.slice(2)].filter((part) => part.length > 0);
  const readEntries = (resolve: (entries: object[]) => void) => resolve((parts.shift() ?? []).map(entryOf));
  return { name, isFile: false, isDirectory: true, createReader: () => ({ readEntries }) };
}

async function drop(...entries: readonly Entry[]) {
  const items = entries.map((entry) => ({ kind: "file", webkitGetAsEntry: () => entryOf(entry) }));
  const { files, unread } = await filesOf({ items, files: [] } as unknown as DataTransfer);
  return { names: files.map(({ name }) => name), unread };
}

test("takes the files of a folder and its folders, without those that the system keeps there", async () => {
  const folder: Item = [
    ["b10.pdf", "file"],
    ["b9.pdf", "file"],
    ["Desktop.ini", "file"],
    ["Thumbs.db", "file"],
    [".DS_Store", "file"],
    ["._b9.pdf", "file"],
    ["~$letter.docx", "file"],
    ["__MACOSX", [["c.pdf", "file"]]],
    [
      "Day 2",
      [
        ["thumbs.DB", "file"],
        ["d.pdf", "file"],
      ],
    ],
  ];
  expect(await drop(["Holiday", folder])).toEqual({ names: ["b9.pdf", "b10.pdf", "d.pdf"], unread: [] });
});

test("takes a file that is dropped itself, whatever its name is", async () => {
  expect((await drop(["desktop.ini", "file"])).names).toEqual(["desktop.ini"]);
});

test("names what cannot be read, and takes the others", async () => {
  const inner: Item = [
    ["gone.pdf", "unreadable"],
    ["there.pdf", "file"],
  ];
  expect(await drop(["a.pdf", "file"], ["Folder", [["Inner", inner]]], ["z.pdf", "unreadable"])).toEqual({
    names: ["a.pdf", "there.pdf"],
    unread: ["gone.pdf", "z.pdf"],
  });
});
