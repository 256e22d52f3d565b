import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll, describe, expect, test } from "vitest";
import { readFirstLine, takeVariables } from "../../../../service/cli/secrets.ts";
import { Scratch } from "../../../support/native-tools.ts";

const scratch = new Scratch();
afterAll(() => scratch.remove());

/** Reads the first line of a file with this content. */
function firstLine(content: string | Uint8Array): Promise<string> {
  const path = scratch.path("secret");
  writeFileSync(path, content);
  return readFirstLine(path, "--password-file");
}

describe("the first line of a file", () => {
  test.each([
    ["key\nmore\n", "key"],
    ["key\r\n", "key"],
    [" key with spaces ", " key with spaces "],
    ["\ufeffschlüssel\n", "schlüssel"],
    ["", ""],
  ])("of %j is %j", async (content, line) => {
    expect(await firstLine(content)).toBe(line);
  });

  test("is read without the rest of a large file", async () => {
    expect(await firstLine(`key\n${"x".repeat(1_000_000)}`)).toBe("key");
  });

  test.each([
    ["too long", "x".repeat(5000), /too long/],
    ["in another encoding than UTF-8", Uint8Array.of(0x6b, 0xfc), /not in UTF-8/],
  ])("that is %s is refused", async (_title, content, message) => {
    await expect(firstLine(content)).rejects.toMatchObject({ code: "invalid_parameter", message });
  });

  test("of a folder is refused, with advice about the option", async () => {
    const read = readFirstLine(tmpdir(), "--password-file");
    await expect(read).rejects.toMatchObject({ code: "invalid_parameter", message: /holds the password/ });
  });

  test("of a file that is not there is not_found", async () => {
    const path = scratch.path("absent");
    await expect(readFirstLine(path, "--password-file")).rejects.toMatchObject({ code: "not_found" });
  });
});

test("secrets of the environment are taken out of it", () => {
  const environment = { STAYPUT_PASSWORD: "key", STAYPUT_OWNER_PASSWORD: "", OTHER: "x" };
  expect(Object.fromEntries(takeVariables(environment))).toEqual({ password: "key" });
  expect(environment).toEqual({ OTHER: "x" });
});
