import { describe, expect, test } from "vitest";
import { readArguments } from "../../../../service/cli/arguments.ts";
import { COMMANDS, commandNamed, fieldsOf } from "../../../../service/cli/commands.ts";
import { commandHelp } from "../../../../service/cli/help.ts";
import { optionsOf } from "../../../../service/cli/options.ts";
import { ServiceError } from "../../../../src/shared/errors.ts";

/** Reads arguments as those of a command. */
function read(name: string, ...args: readonly string[]) {
  const command = commandNamed(name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return readArguments(command, args);
}

/** Returns the message of the error `invalid_parameter` for arguments. */
function refusal(name: string, ...args: readonly string[]): string {
  try {
    read(name, ...args);
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === "invalid_parameter") return thrown.message;
    throw thrown;
  }
  throw new Error("the arguments were accepted");
}

describe("the arguments of a command", () => {
  test("are files, fields with hyphens, and settings, in any order", () => {
    const given = read("convert", "--output-format", "jpg", "a.pdf", "--max-bytes=2000", "-q", "b.pdf");
    expect(given.files).toEqual(["a.pdf", "b.pdf"]);
    expect(given.fields).toEqual({ output_format: "jpg", max_bytes: "2000" });
    expect([...given.switches]).toEqual(["quiet"]);
  });

  test("may have values that begin with a dash", () => {
    expect(read("split", "a.pdf", "--rotate", "-90:1-3").fields).toEqual({ rotate: "-90:1-3" });
    expect(read("merge", "a.pdf", "--title=--x").fields).toEqual({ title: "--x" });
  });

  test("make a list of a field that is given several times, as a form does", () => {
    expect(read("merge", "--pages", "1-3", "--pages", "").fields).toEqual({ pages: ["1-3", ""] });
  });

  test("have switches for fields that are true or false", () => {
    expect(read("clean", "--flatten", "a.pdf")).toMatchObject({
      fields: { flatten: "true" },
      files: ["a.pdf"],
    });
    expect(read("clean", "--flatten=false").fields).toEqual({ flatten: "false" });
    expect(refusal("clean", "--flatten=maybe")).toMatch(/true or false/);
  });

  test("end with two dashes, after which all are files", () => {
    expect(read("split", "--", "--every.pdf").files).toEqual(["--every.pdf"]);
  });

  test("name the file of a password and the place of results", () => {
    const given = read("protect", "a.pdf", "--password-file", "-", "-o", "out", "--force");
    expect(Object.fromEntries(given.secretFiles)).toEqual({ password: "-" });
    expect([given.output, ...given.switches]).toEqual(["out", "force"]);
  });
});

describe("refused are", () => {
  test.each([
    ["split", "--pags", 'The option "--pags" is not known. Did you mean "--pages"?'],
    [
      "convert",
      "--output_format=jpg",
      'The option "--output_format" is not known. Did you mean "--output-format"?',
    ],
    ["protect", "--pages", 'The option "--pages" belongs to split, merge and convert. Leave it out.'],
    ["inspect", "--force", /belongs to protect, .* and clean\. Leave it out/],
    ["inspect", "-x", 'The option "-x" is not known. Leave it out.'],
    ["split", "--file=a.pdf", 'The option "--file" is not known. Leave it out.'],
    ["split", "--constructor", 'The option "--constructor" is not known. Leave it out.'],
    ["split", "--pages", 'The option "--pages" needs a value: --pages=VALUE.'],
  ])("%s %s", (name, option, message) => {
    const found = refusal(name, "a.pdf", option);
    if (typeof message === "string") expect(found).toBe(message);
    else expect(found).toMatch(message);
  });

  test("an option in place of a value", () => {
    expect(refusal("split", "--pages", "--json")).toBe('The option "--pages" needs a value: --pages=VALUE.');
  });

  test.each([
    ["protect", ["--password", "open-sesame"]],
    ["unlock", ["--password=open-sesame"]],
    ["split", ["--passwrod=open-sesame"]],
    ["protect", ["--owner-password", "open-sesame"]],
    ["unlock", ["--owner-password", "open-sesame"]],
  ])("a password on the command line of %s, without repeating it", (name, args) => {
    const message = refusal(name, "a.pdf", ...args);
    expect(message).toMatch(/command lines|Did you mean "--password"/);
    expect(message).not.toContain("sesame");
  });
});

describe.each(COMMANDS)("the options of $name", (command) => {
  test("are its fields", () => {
    const fields = Object.keys(fieldsOf(command)).filter((name) => name !== "file");
    const targets = Object.values(optionsOf(command)).flatMap(({ target }) =>
      target.kind === "setting" ? [] : [target.name],
    );
    expect(targets).toEqual(fields);
  });

  test("have different letters", () => {
    const letters = Object.values(optionsOf(command)).flatMap(({ short }) => short ?? []);
    expect(new Set(letters).size).toBe(letters.length);
  });

  test("are all in its help, in lines that fit a wide terminal", () => {
    const help = commandHelp(command);
    for (const name of Object.keys(optionsOf(command))) expect(help).toContain(`--${name}`);
    expect(help.split("\n").filter((line) => line.length > 120)).toEqual([]);
  });

  test("include those of its example", () => {
    const [name, ...args] = command.example.split(" ");
    expect(name).toBe(command.name);
    expect(readArguments(command, args).files).not.toEqual([]);
  });
});
