import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ADVISORIES, lacksFix } from "../../../scripts/advisories.mjs";
import { ROOT } from "../../../scripts/dependencies.mjs";
import { NATIVE_LIBRARIES } from "../../../scripts/native-libraries.mjs";

/** Each library of each file that lacks the fix of an advisory. */
const affected = Object.entries(NATIVE_LIBRARIES).flatMap(([file, libraries]) =>
  libraries.flatMap((library) =>
    ADVISORIES.filter((advisory) => advisory.library === library.name && lacksFix(library, advisory)).map(
      (advisory) => ({ file, library, advisory }),
    ),
  ),
);

test("no library lacks the fix of an advisory that is not accepted", () => {
  const open = affected.filter(({ file, advisory }) => advisory.accepted?.[file] === undefined);
  expect(
    open.map(({ file, library, advisory }) => {
      const { ids, fixedIn = "no release" } = advisory;
      return `${file}: ${library.name} ${library.version} has ${ids.join(", ")}, fixed in ${fixedIn}`;
    }),
  ).toEqual([]);
});

test("no acceptance outlives its reason", () => {
  const needed = affected.map(({ file, advisory }) => `${advisory.ids[0]} in ${file}`);
  const accepted = ADVISORIES.flatMap(({ ids, accepted = {} }) =>
    Object.keys(accepted).map((file) => `${ids[0]} in ${file}`),
  );
  expect(accepted.filter((one) => !needed.includes(one))).toEqual([]);
});

describe("the list", () => {
  test("names each advisory of a library once, with a date and a source", () => {
    const names = ADVISORIES.flatMap(({ library, ids }) => ids.map((id) => `${library} ${id}`));
    expect(new Set(names).size).toBe(names.length);
    for (const { ids, checked, source } of ADVISORIES) {
      for (const id of ids)
        expect(id).toMatch(/^(CVE-\d{4}-\d+|GHSA(-[2-9a-z]{4}){3}|(RUSTSEC|OSV)-\d{4}-\d+)$/);
      expect(checked).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(source).toMatch(/^https:\/\//);
    }
  });

  test("names libraries as the table does, and packages as package.json does", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const libraries = Object.values(NATIVE_LIBRARIES).flat();
    const names = [...libraries.map(({ name }) => name), ...Object.keys(devDependencies)];
    const unknown = ADVISORIES.map(({ library }) => library).filter((name) => !names.includes(name));
    expect(unknown).toEqual([]);
  });
});

test("the table of versions in the docs has each library with an accepted advisory, as the lists say", () => {
  const page = readFileSync(join(ROOT, "docs/decisions/image-codecs.md"), "utf8");
  const rows = [...page.matchAll(/^\| ([^|]+?) +\| `(\w[\w-]*\.wasm)` +\| [^|]+ \| (\S+) +\| (.+?) +\|$/gm)];
  const written = rows.map(([, name, file, version, open]) => `${name} in ${file} ${version}: ${open}`);
  const accepted = Object.entries(NATIVE_LIBRARIES).flatMap(([file, libraries]) =>
    libraries.flatMap(({ name, version }) => {
      const kinds = affected
        .filter((one) => one.file === file && one.library.name === name)
        .map(({ advisory }) => advisory.accepted?.[file]?.kind);
      const counts = ["contained", "unreachable", "absent"]
        .map((kind) => [kinds.filter((one) => one === kind).length, kind] as const)
        .filter(([count]) => count > 0);
      if (counts.length === 0) return [];
      return `${name.replace(/ \(.*/, "")} in ${file} ${version}: ${counts.map((one) => one.join(" ")).join(", ")}`;
    }),
  );
  expect(accepted.length).toBeGreaterThan(0);
  expect(written.filter((row) => !row.endsWith(": none")).sort()).toEqual(accepted.sort());
});

describe("lacksFix", () => {
  test.each([
    ["1.3.1", "1.3.2", true],
    ["1.3.2", "1.3.2", false],
    ["1.10.0", "1.9.9", false],
    ["1.9.9", "1.10", true],
    ["2.19", "2.19.0", false],
    ["2.19", "2.19.1", true],
    ["7258", "7827", true],
    [undefined, "1.0.0", true],
    ["1.0.0", undefined, true],
  ])("%s against a fix in %s is %s", (version, fixedIn, expected) => {
    expect(lacksFix({ ...(version && { version }) }, { ...(fixedIn && { fixedIn }) })).toBe(expected);
  });
});
