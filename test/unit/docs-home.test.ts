import { expect, test } from "vitest";
import { tokensOf } from "../../docs/.vitepress/theme/highlight.ts";
import { FIGURES } from "../../docs/.vitepress/theme/home.ts";
import { readPage } from "../support/docs.ts";

test.each(FIGURES)("the figure “$value” of the home page stands in $source", ({ source, quote }) => {
  expect(readPage(source)).toContain(quote);
});

test("the site has the values of the app, in light and dark", () => {
  const app = readPage("demo/styles/base.css").split("@media (prefers-color-scheme: dark)");
  const site = readPage("docs/.vitepress/theme/tokens.css").split(".dark {");
  for (const [index, block] of site.entries()) {
    const values = valuesIn(block);
    const ofApp = valuesIn(app[index] ?? "");
    expect(values).toEqual(Object.fromEntries(Object.keys(values).map((name) => [name, ofApp[name]])));
  }
});

test("highlighted code is the code", () => {
  const code = 'import { createClient } from "stayput";\nawait client.split({ pages: "1,\\"2", every: 10 });';
  const tokens = tokensOf(code);
  expect(tokens.map(({ text }) => text).join("")).toBe(code);
  expect(tokens).toContainEqual({ text: '"1,\\"2"', kind: "string" });
  expect(tokens).toContainEqual({ text: "10", kind: "number" });
});

/** Returns the custom properties of a block, the first of each name. */
function valuesIn(css: string): Readonly<Record<string, string>> {
  const found = [...css.matchAll(/^ *(--[\w-]+): (.*);$/gm)].map(([, name = "", value = ""]) => [
    name,
    value,
  ]);
  return Object.fromEntries(found.reverse());
}
