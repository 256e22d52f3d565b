import { describe, expect, test } from "vitest";
import { helpText, readOptions } from "../../../service/command-options.ts";

const OPTIONS = {
  port: { value: "N", about: "where", takes: { least: 0, most: 65_535 } },
  host: { value: "ADDRESS", about: "for whom" },
} as const;

describe("the options of a command line", () => {
  test("are read", () => {
    expect(readOptions(["--port", "80", "--host=::1"], "run", OPTIONS)).toEqual({ port: "80", host: "::1" });
    expect(readOptions([], "run", OPTIONS)).toEqual({});
  });

  test.each([
    [["--prot", "8080"], "Unknown option '--prot'"],
    [["--port"], "Option '--port <value>' argument missing"],
    [["--port", "65536"], '--port takes a whole number from 0 to 65535, not "65536"'],
    [["--port", "1e3"], '--port takes a whole number from 0 to 65535, not "1e3"'],
    [["--port", ""], '--port takes a whole number from 0 to 65535, not ""'],
  ])("%j are refused with the help", (args, complaint) => {
    expect(() => readOptions(args, "run", OPTIONS)).toThrow(
      expect.objectContaining({ name: "UsageError", message: `${complaint}\n\n${helpText("run", OPTIONS)}` }),
    );
  });
});
