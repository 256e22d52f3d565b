import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { de } from "../../../../demo/messages/de.ts";
import { en } from "../../../../demo/messages/en.ts";
import { preferredLanguage } from "../../../../demo/messages/index.ts";
import { fillMessage } from "../../../../demo/messages/message.ts";

const FILES = "{count} {file|files}";

test("chooses the plural form and writes numbers as the language does", () => {
  expect(fillMessage(FILES, { count: 1 }, "en")).toBe("1 file");
  expect(fillMessage(FILES, { count: 1200 }, "en")).toBe("1,200 files");
  expect(fillMessage(FILES, { count: 1200 }, "de")).toBe("1.200 files");
  const pages = "Merge{| {count} files} into {a page|{count} pages}";
  expect(fillMessage(pages, { count: 1 }, "en")).toBe("Merge into a page");
  expect(fillMessage(pages, { count: 2 }, "en")).toBe("Merge 2 files into 2 pages");
});

test("leaves braces in a file name alone", () => {
  expect(fillMessage("Save {name}", { name: "{count}.pdf" }, "en")).toBe("Save {count}.pdf");
});

test.each(Object.keys(en) as (keyof typeof en)[])("has the same values in both languages: %s", (key) => {
  const values = (message: string) =>
    [...new Set(message.match(/\{\w+\}/g) ?? [])].filter((name) => name !== "{count}").sort();
  expect(values(de[key])).toEqual(values(en[key]));
});

test("has no message that nothing shows", () => {
  const folder = new URL("../../../../demo/", import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /^(browser|state|views|app|main).*\.tsx?$/.test(path))
    .map((path) => readFileSync(new URL(path, folder), "utf8"));
  const text = [...sources, readFileSync(new URL("../scripts/offline.mjs", folder), "utf8")].join("\n");
  // Such as t(`task.${task}`).
  const isShown = (key: string) => text.includes(`"${key}"`) || text.includes(`\`${key.split(".")[0]}.\${`);
  expect(Object.keys(en).filter((key) => !isShown(key))).toEqual([]);
});

test.each([
  ["de", ["en"], "de"],
  [null, ["de-AT", "en"], "de"],
  [null, ["fr", "en-US"], "en"],
  [null, ["fr"], "en"],
  ["xx", [], "en"],
] as const)("with %s stored and %j wanted, the page is in %s", (stored, wanted, language) => {
  expect(preferredLanguage(stored, wanted)).toBe(language);
});
