import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ICON_PATHS } from "../../../demo/views/icon-paths.ts";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

test.each(["demo/public/icon.svg", "docs/public/icon.svg"])(
  "%s shows the mark of the header on the accent color",
  (path) => {
    const accent = /--accent: (#\w+);/.exec(read("demo/styles/base.css"))?.[1];
    const icon = read(path);
    expect(icon).toContain(`d="${ICON_PATHS.mark}"`);
    expect(icon).toContain(`fill="${accent}"`);
  },
);

test("the icon of the app is that of the documentation", () => {
  expect(read("demo/public/icon.svg")).toBe(read("docs/public/icon.svg"));
});
