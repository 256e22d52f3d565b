import { expect, test, vi } from "vitest";
import { convert, protect, shrink, split } from "../../../../demo/state/options.ts";
import { applyPreset, presetName, presetOf } from "../../../../demo/state/presets.ts";
import { chosenFormat } from "../../../../demo/state/task.ts";

vi.mock("../../../../demo/state/client.ts", () => import("../../../support/app-client.ts"));

test("keeps the options of tasks, but no password, no page and nothing that leaves more in a file", () => {
  for (const one of [protect.password, protect.repeated, protect.ownerPassword]) one.value = "secret";
  split.shared.value = "1-2";
  convert.keepsMetadata.value = true;
  const text = JSON.stringify(presetOf());
  expect(text).not.toMatch(/secret|1-2|etadata/);
  expect(text).toContain('"shrink":{"way":"mail","size":"2"}');
});

test("a preset of photos under 1 MB comes back as it was", () => {
  Object.assign(convert.size, { value: "1" });
  chosenFormat.value = "jpg";
  const preset = JSON.parse(JSON.stringify(presetOf(["convert"])));
  convert.size.value = "";
  convert.quality.value = 20;
  chosenFormat.value = "png";
  shrink.way.value = "web";
  applyPreset(preset);
  expect([convert.size.value, convert.quality.value, chosenFormat.value]).toEqual(["1", undefined, "jpg"]);
  // Other tasks stay as they are.
  expect(shrink.way.value).toBe("web");
});

test("leaves out what an option cannot have", () => {
  shrink.way.value = "web";
  split.every.value = "3";
  const wrong = {
    shrink: { way: "tiny", size: {} },
    split: { every: "<b>" },
    constructor: { way: 1 },
    merge: null,
    convert: { quality: null },
  };
  convert.quality.value = 20;
  applyPreset(JSON.parse(JSON.stringify(wrong)));
  expect([shrink.way.value, shrink.size.value, split.every.value]).toEqual(["web", "2", "3"]);
  expect(convert.quality.value).toBe(20);
});

test.each([
  [{ convert: { format: "jpg", size: "1", unit: "MB" } }, "JPG under 1 MB"],
  [{ convert: { format: "docx", size: "1", unit: "MB" } }, "Word"],
  [{ convert: { format: "odt" } }, "ODT"],
  [{ convert: { format: "txt" } }, "Text"],
  [{ convert: {} }, "JPG"],
  [{ shrink: { way: "size", size: "3" } }, "Shrink under 3 MB"],
  [{ shrink: { way: "web" } }, "Shrink: For the web"],
])("says what a preset does: %j", (preset, name) => {
  expect(presetName(preset)).toBe(name);
});

test("a preset of an office format comes back as it was", () => {
  chosenFormat.value = "jpg";
  applyPreset({ convert: { format: "docx" } });
  expect(chosenFormat.value).toBe("docx");
});
