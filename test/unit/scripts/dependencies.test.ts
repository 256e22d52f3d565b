import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../../scripts/dependencies.mjs";
import { readPage } from "../../support/docs.ts";

test("packages that are in the built files are pinned to an exact version", () => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const [, built = ""] = readPage("docs/dependencies.md").split(/^## .*$/m);
  const names = [...built.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name ?? "");
  expect(names).toContain("libheif-js");
  // They compile and link sources with libraries of theirs.
  for (const name of [...names, "assemblyscript", "@img/sharp-libvips-dev-wasm32", "@yowasp/clang"])
    expect(devDependencies[name], name).toMatch(/^\d+\.\d+\.\d+(-[\w-]+)?$/);
});
