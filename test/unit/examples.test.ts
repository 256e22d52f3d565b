import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../scripts/dependencies.mjs";
import { SET_UPS } from "../consumers/set-ups.ts";
import { examplesIn, readPage } from "../support/docs.ts";

const EXAMPLES = readdirSync(join(ROOT, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const NOT_SOURCE = /(^|\/)(node_modules|dist|stayput|README\.md|package-lock\.json)(\/|$)/;
const MOST_LINES = 60;

describe.each(EXAMPLES)("the example %s", (name) => {
  const folder = join(ROOT, "examples", name);

  test("has less than 60 lines in all of its source", () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !NOT_SOURCE.test(path.slice(folder.length)));
    const lines = files.flatMap((path) => readFileSync(path, "utf8").trimEnd().split("\n"));
    expect(lines.length).toBeLessThan(MOST_LINES);
  });

  test("starts with the commands of its README", () => {
    const [commands] = examplesIn(`examples/${name}/README.md`);
    expect(commands?.code).toBe("npm install\nnpm start\n");
    expect(JSON.parse(readPage(`examples/${name}/package.json`)).scripts).toHaveProperty("start");
  });

  test("is run by test:consumers, and linked from the README and the site", () => {
    expect(SET_UPS.map(({ app }) => app)).toContain(`../../../examples/${name}`);
    expect(readPage("README.md")).toContain(`](examples/${name}/README.md)`);
    expect(readPage("docs/README.md")).toContain(`](../examples/${name}/README.md)`);
  });
});

test("the offline example stores the files that the recipe names", () => {
  const recipe = examplesIn("docs/recipes/offline.md").find(({ code }) => code.startsWith("// sw.js"));
  const names = /^const NAMES = .*$/m;
  const [stated] = names.exec(recipe?.code ?? "") ?? [];
  expect(stated).toBeDefined();
  expect(names.exec(readPage("examples/offline/public/sw.js"))?.[0]).toBe(stated);
});
