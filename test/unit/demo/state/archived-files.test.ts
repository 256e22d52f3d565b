import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { archivedFiles } from "../../../../demo/state/archived-files.ts";

const content = new TextEncoder().encode("%PDF-1.7");

function zip(names: readonly string[], level: 0 | 9 = 0): File {
  const files = Object.fromEntries(names.map((name) => [name, content]));
  return new File([zipSync(files, { level })], "split-a.zip", { type: "application/zip" });
}

test("returns the files of a zip", async () => {
  const files = await archivedFiles(zip(["ä-1.pdf", "a-2.jpg"]));
  expect(files.map(({ name, type }) => [name, type])).toEqual([
    ["ä-1.pdf", "application/pdf"],
    ["a-2.jpg", "image/jpeg"],
  ]);
  expect(await Promise.all(files.map((file) => file.text()))).toEqual(["%PDF-1.7", "%PDF-1.7"]);
});

test("returns any other file, and a zip that it cannot read, as it is", async () => {
  const packed = new File([zipSync({ "a.pdf": new Uint8Array(100) }, { level: 9 })], "a.zip", {
    type: "application/zip",
  });
  const cut = new File([zip(["a.pdf"]).slice(20)], "cut.zip", { type: "application/zip" });
  const other = new File([content], "a.pdf", { type: "application/pdf" });
  for (const file of [packed, cut, other]) expect(await archivedFiles(file)).toEqual([file]);
});
