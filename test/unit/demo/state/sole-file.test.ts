import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { soleFile } from "../../../../demo/state/sole-file.ts";

const content = new TextEncoder().encode("%PDF-1.7");

function zip(names: readonly string[], level: 0 | 9 = 0): File {
  const files = Object.fromEntries(names.map((name) => [name, content]));
  return new File([zipSync(files, { level })], "split-a.zip", { type: "application/zip" });
}

test("returns the only file of a zip", async () => {
  const file = await soleFile(zip(["ä-1.pdf"]));
  expect(file.name).toBe("ä-1.pdf");
  expect(file.type).toBe("application/pdf");
  expect(await file.text()).toBe("%PDF-1.7");
});

test("returns a zip of several files, and any other file, as it is", async () => {
  const several = zip(["a-1.pdf", "a-2.pdf"]);
  expect(await soleFile(several)).toBe(several);
  const other = new File([content], "a.pdf", { type: "application/pdf" });
  expect(await soleFile(other)).toBe(other);
});
