import { describe, expect, test } from "vitest";
import { requestOf } from "../../../../service/cli/command-line.ts";

describe("a command line", () => {
  test.each([
    ["without arguments", []],
    ["with options only", ["--port", "0"]],
  ])("%s starts the service", (_title, args) => {
    expect(requestOf(args)).toEqual({ kind: "serve", args });
  });

  test("with serve starts the service with the options after it", () => {
    expect(requestOf(["serve", "--help"])).toEqual({ kind: "serve", args: ["--help"] });
  });

  test.each(["--help", "-h", "help"])("with %s asks for help", (option) => {
    expect(requestOf([option])).toEqual({ kind: "help" });
  });

  test("asks for the version", () => {
    expect(requestOf(["--version"])).toEqual({ kind: "version" });
  });

  test("with another word names a command, known or not", () => {
    expect(requestOf(["split", "a.pdf"])).toEqual({ kind: "command", name: "split", args: ["a.pdf"] });
    expect(requestOf(["toString"])).toEqual({ kind: "command", name: "toString", args: [] });
  });
});
