import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { fileError } from "../../../../service/cli/file-errors.ts";
import { isDiskFull, systemCode, unlessAbsent } from "../../../../service/platform/system-error.ts";
import { internalError } from "../../../../src/shared/failure.ts";

const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
  code: "ENOSPC",
  syscall: "write",
});

it("returns the code of an error of the system, and of no other", () => {
  expect(systemCode(full)).toBe("ENOSPC");
  expect(systemCode(Object.assign(new Error("a wrong argument"), { code: "ERR_INVALID_ARG_TYPE" }))).toBe(
    undefined,
  );
});

it("recognizes a full disk in an error, and in the cause of an error of a thread", () => {
  expect(isDiskFull(full)).toBe(true);
  expect(isDiskFull(internalError("The engine failed.", full))).toBe(true);
  expect(isDiskFull(internalError("The engine failed.", new Error("another reason")))).toBe(false);
});

it("does not recognize an error whose message already names the full disk", () => {
  expect(isDiskFull(fileError(full, "report.pdf", "written"))).toBe(false);
});

it("returns undefined for an absent file and for a folder", async () => {
  await expect(unlessAbsent(readFile(`${import.meta.filename}-absent`))).resolves.toBe(undefined);
  await expect(unlessAbsent(readFile(import.meta.dirname))).resolves.toBe(undefined);
  await expect(unlessAbsent(Promise.reject(new Error("other")))).rejects.toThrow("other");
});
