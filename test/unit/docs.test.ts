import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorOf, GROUPS, HOME, summaryOf } from "../../docs/.vitepress/pages.ts";
import { ROOT } from "../../scripts/dependencies.mjs";
import { OPERATION_NAMES } from "../../src/http/path.ts";
import { OPERATIONS } from "../../src/operations.ts";
import { DETAIL_TYPES } from "../../src/remote/detail-types.ts";
import { ERROR_STATUS } from "../../src/shared/errors.ts";
import { PAGES, readPage } from "../support/docs.ts";

test("the README has at most 200 lines", () => {
  expect(readPage("README.md").split("\n").length).toBeLessThanOrEqual(201);
});

test("the README says the sizes of docs/reference/downloads.md", () => {
  const [said] = [...readPage("README.md").matchAll(/loads (\d+) kB[\s\S]*?loads \[(\d+) kB\]/g)];
  const rows = ["Import the package", "Protect, unlock"].map((job) =>
    new RegExp(`^\\| ${job} +\\| +(\\d+) \\|`, "m").exec(readPage("docs/reference/downloads.md")),
  );
  expect(said?.slice(1)).toEqual(rows.map((row) => row?.[1]));
});

describe.each(PAGES)("%s", (page) => {
  test("has links that lead to a file and a heading", () => {
    expect(linksOf(page).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  });

  test("has tables with a heading for each column", () => {
    const headings = [...readPage(page).matchAll(/^(\|.*)\n\| -/gm)].map(([, row]) => row);
    expect(headings.filter((row) => /\| +\|/.test(row ?? ""))).toEqual([]);
  });

  test("has tables whose rows are as long as their headings", () => {
    const rows = readPage(page)
      .split("\n")
      .map((line) => (line.startsWith("|") ? cellCount(line) : 0));
    const uneven = rows.flatMap((count, index) => {
      const before = rows[index - 1] ?? 0;
      return count > 0 && before > 0 && count !== before ? [`line ${index + 1}`] : [];
    });
    expect(uneven).toEqual([]);
  });

  test("names files and folders that exist", () => {
    expect(pathsOf(page).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

test("every page is in the sidebar of the site, with a title and a description", () => {
  const pages = [HOME, ...GROUPS.flatMap(({ pages }) => pages)].filter((path) => !isGenerated(path));
  expect(pages.toSorted()).toEqual(PAGES.filter((page) => page !== "README.md").toSorted());
  const summaries = pages.map((page) => ({ page, ...summaryOf(readPage(page)) }));
  expect(summaries.filter(({ title, description }) => title === "" || description === "")).toEqual([]);
});

test("the page that messages name exists", () => {
  const [, page] = /blob\/main\/([\w./-]+)/.exec(readPage("src/shared/load-failure.ts")) ?? [];
  expect(PAGES).toContain(page);
});

test("docs/reference/fields.md says of each field which operations have it", () => {
  const [heading = "", ...rows] = readPage("docs/reference/fields.md")
    .split("\n")
    .filter((line) => line.startsWith("|"));
  const cells = (row: string) => row.split("|").map((cell) => cell.trim().replaceAll("`", ""));
  const names = OPERATION_NAMES.map((name) => ({ name, column: cells(heading).indexOf(name) }));
  const last = rows.findIndex((row) => cells(row)[1] === "Field");
  const listed = rows.slice(1, last).flatMap((row) => {
    const field = cells(row)[1] ?? "";
    return names.flatMap(({ name, column }) => (cells(row)[column] ? [`${name} ${field}`] : []));
  });
  const known = OPERATION_NAMES.flatMap((name) =>
    Object.keys(OPERATIONS[name].fields).map((field) => `${name} ${field}`),
  );
  expect(listed.toSorted()).toEqual(known.toSorted());
});

test("docs/reference/client.md lists everything that the package exports", () => {
  const [, types = ""] = readPage("docs/reference/client.md").split("## Types");
  const listed = [...types.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  const lists = [...readPage("src/index.ts").matchAll(/^export (?:type )?\{([^}]*)\}/gm)];
  const exported = lists.flatMap(([, names = ""]) => names.replaceAll(/\btype /g, "").match(/\w+/g) ?? []);
  expect(listed.toSorted()).toEqual(exported.toSorted());
});

test("docs/reference/errors.md lists every code with its status", () => {
  const rows = [...readPage("docs/reference/errors.md").matchAll(/^\| `(\w+)` +\| (\d+) /gm)];
  expect(Object.fromEntries(rows.map(([, code, status]) => [code, Number(status)]))).toEqual(ERROR_STATUS);
});

test("docs/reference/errors.md lists every detail", () => {
  const [, details = ""] = readPage("docs/reference/errors.md").split("## Details");
  const names = [...details.matchAll(/^\| (`[^|]+`) +\|/gm)].flatMap(
    ([, cell = ""]) => cell.match(/\w+/g) ?? [],
  );
  expect(names.toSorted()).toEqual(Object.keys(DETAIL_TYPES).toSorted());
});

function linksOf(page: string): string[] {
  const text = readPage(page).replaceAll(/^```[\s\S]*?^```/gm, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? "");
}

/** Returns the paths of this repository in a page. `tiff` is the example of a format that is to be added. */
function pathsOf(page: string): string[] {
  const paths = readPage(page).matchAll(/`((?:src|workers|service|test|demo|docs|scripts)\/[\w./-]*)`/g);
  return [...paths].map(([, path]) => path ?? "").filter((path) => !path.includes("/tiff/"));
}

function leadsSomewhere(page: string, link: string): boolean {
  if (/^https?:/.test(link)) return true;
  const [path = "", heading] = link.split("#");
  const target = path === "" ? page : relative(ROOT, resolve(ROOT, dirname(page), path));
  // TypeDoc makes these pages when the site is built.
  if (isGenerated(target)) return true;
  if (!existsSync(join(ROOT, target))) return false;
  return heading === undefined || headingsOf(target).includes(heading);
}

function isGenerated(path: string): boolean {
  return path.startsWith("docs/reference/api/");
}

function headingsOf(page: string): string[] {
  return [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) => anchorOf(heading));
}

/** Returns how many cells a row of a table has. A bar in code or behind a backslash parts none. */
function cellCount(row: string): number {
  return row.replace(/`[^`]*`|\\\|/g, "").split("|").length;
}
