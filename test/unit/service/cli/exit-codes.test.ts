import { expect, test } from "vitest";
import { EXIT_CODES, EXIT_OF, type ExitCode, errorsOf } from "../../../../service/cli/exit-codes.ts";
import { programHelp } from "../../../../service/cli/help.ts";
import { ERROR_STATUS } from "../../../../src/shared/errors.ts";
import { readPage } from "../../../support/docs.ts";

const CODES = Object.keys(EXIT_CODES).map(Number) as ExitCode[];

test("every error has an exit code that is no success", () => {
  expect(Object.keys(EXIT_OF).toSorted()).toEqual(Object.keys(ERROR_STATUS).toSorted());
  expect(Object.values(EXIT_OF)).not.toContain(0);
});

test("docs/guides/command-line.md lists every exit code with its errors", () => {
  const rows = [...readPage("docs/guides/command-line.md").matchAll(/^\| `(\d+)` +\| .*? \| (.*?) +\|$/gm)];
  const listed = rows.map(([, code, errors = ""]) => [Number(code), (errors.match(/\w+/g) ?? []).toSorted()]);
  expect(listed).toEqual(CODES.map((code) => [code, errorsOf(code).toSorted()]));
});

test("the help lists every exit code", () => {
  const listed = [...programHelp().matchAll(/^ {2}(\d+) +\S/gm)].map(([, code]) => Number(code));
  expect(listed).toEqual(CODES);
});
