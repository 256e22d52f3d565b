import { expect, test } from "vitest";
import {
  canBecome,
  formatName,
  kindOf,
  percentage,
  readableSize,
  sizeChange,
} from "../../../../demo/state/formats.ts";

test.each([
  [1, "en", "1\u00a0byte"],
  [14_200_000, "en", "14.2\u00a0MB"],
  [14_200_000, "de", "14,2\u00a0MB"],
])("writes %i bytes in %s as %s", (bytes, language, text) => {
  expect(readableSize(bytes, language)).toBe(text);
});

test("says 100 % only when all is done", () => {
  expect(percentage(0, 3, "en")).toBe("0%");
  expect(percentage(999, 1000, "en")).toBe("99%");
  expect(percentage(1000, 1000, "de")).toBe("100\u00a0%");
  expect(percentage(1001, 1000, "en")).toBe("100%");
});

test("says how much smaller the results are", () => {
  expect(sizeChange(100, 62, "en")).toBe("\u221238%");
  expect(sizeChange(100, 150, "en")).toBe("+50%");
  expect(sizeChange(1000, 1001, "en")).toBe("");
  expect(sizeChange(0, 10, "en")).toBe("");
});

test("knows the kinds and the names of formats", () => {
  expect(kindOf("heic")).toBe("image");
  expect(kindOf("odt")).toBe("office");
  expect(formatName("docx")).toBe("Word");
  expect(formatName("jpg")).toBe("JPG");
});

test.each([
  ["image", "jpg", true, true],
  ["image", "pdf", true, true],
  ["image", "txt", false, false],
  ["pdf", "pdf", false, false],
  ["pdf", "txt", true, true],
  ["pdf", "docx", false, true],
  ["office", "pdf", false, true],
  ["office", "txt", false, false],
] as const)("says whether %s becomes %s, without and with a service", (kind, format, without, with_) => {
  expect(canBecome(kind, format, false)).toBe(without);
  expect(canBecome(kind, format, true)).toBe(with_);
});
