import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLine } from "../support/command-line.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf, pageText } from "../support/fixtures/pdf.ts";
import { vipsDecodes } from "../support/native-pictures.ts";
import { announceMissing } from "../support/native-tools.ts";
import { mupdfText, popplerPages, qpdfCheck, qpdfEncrypt, unzipNames } from "../support/oracles.ts";
import { WORKING_OFFICE } from "../support/started-service.ts";

// Operations as commands. Native tools judge the files.

const TOOLS = ["qpdf", "mutool", "pdftotext", "vips", "unzip"] as const;
const missing = announceMissing("operations as commands", TOOLS);
const { folder, leftovers, run } = commandLine();

const at = (name: string) => join(folder, name);

function writePdf(name: string, pages = 3): string {
  writeFileSync(at(name), makePdf({ pages }));
  return name;
}

function writePicture(name: string): string {
  const sample = (x: number, y: number) => [x * 3, y * 4, 128].map(Math.floor);
  writeFileSync(at(name), makePng({ width: 80, height: 60, colorType: 2, bitDepth: 8, sample }));
  return name;
}

/** Writes a PDF that qpdf has encrypted with the password "key". */
async function writeLocked(name: string): Promise<string> {
  await qpdfEncrypt(at(writePdf(`plain-${name}`)), at(name), { user: "key", owner: "owner" });
  return name;
}

/** Returns the objects that a command has printed, one for each line. */
function objectsOf(stdout: Buffer): unknown[] {
  return stdout
    .toString("utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe.skipIf(missing.length > 0)("a command", () => {
  test("protects each of several files with the password of a file", async () => {
    writeFileSync(at("secret.txt"), "open sesame\n");
    const files = [writePdf("one.pdf", 1), writePdf("two.pdf", 2)];
    const end = await run(["protect", ...files, "--password-file", "secret.txt", "--permissions", "print"]);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(String(end.stdout)).toBe("protected-one.pdf\nprotected-two.pdf\n");
    for (const [name, pageCount] of [
      ["one", 1],
      ["two", 2],
    ] as const)
      expect(await qpdfCheck(at(`protected-${name}.pdf`), "open sesame")).toMatchObject({
        verdict: "ok",
        pageCount,
        encrypted: true,
      });
    expect(leftovers()).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test.each([
    ["a file", ["--password-file", "key.txt"], {}],
    ["the standard input", ["--password-file", "-"], { input: "key\nmore" }],
    ["the environment", [], { environment: { STAYPUT_PASSWORD: "key" } }],
  ])("unlocks with a password from %s", async (_title, args, setup) => {
    writeFileSync(at("key.txt"), "key");
    const end = await run(
      ["unlock", await writeLocked("locked.pdf"), "-o", "open.pdf", "-f", ...args],
      setup,
    );
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(await qpdfCheck(at("open.pdf"))).toMatchObject({ verdict: "ok", pageCount: 3, encrypted: false });
  });

  test("splits by pages", async () => {
    const end = await run(["split", writePdf("split.pdf"), "--pages", "1,2-3"]);
    expect(end.code).toBe(0);
    expect(await unzipNames(at("split-split.zip"))).toHaveLength(2);
  });

  test("merges PDFs, locked ones and pictures, with a field for each file", async () => {
    const files = [writePdf("first.pdf"), await writeLocked("second.pdf"), writePicture("third.png")];
    const pages = ["2", "", ""].flatMap((text) => ["--pages", text]);
    const end = await run(["merge", ...files, ...pages, "-o", "whole.pdf"], {
      environment: { STAYPUT_PASSWORD: "key" },
    });
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(await qpdfCheck(at("whole.pdf"))).toMatchObject({ verdict: "ok", pageCount: 5 });
    expect((await popplerPages(at("whole.pdf")))[0]).toContain(pageText(2));
    expect(await mupdfText(at("whole.pdf"))).toContain(pageText(3));
  });

  test("converts pictures into a folder that it makes", async () => {
    const files = [writePicture("x.png"), writePicture("y.png")];
    const end = await run(["convert", ...files, "--output-format", "webp", "--max-width", "40", "-o", "new"]);
    expect(end).toMatchObject({ code: 0, stderr: "" });
    for (const name of ["x", "y"])
      expect(await vipsDecodes(at(`new/${name}.webp`), at(name))).toMatchObject({ width: 40, height: 30 });
  });

  test("rotates by an angle that begins with a dash", async () => {
    const end = await run(["convert", writePicture("flat.png"), "--output-format", "jpg", "--rotate", "-90"]);
    expect(end.code).toBe(0);
    expect(await vipsDecodes(at("flat.jpg"), at("decoded"))).toMatchObject({ width: 60, height: 80 });
  });

  test("compresses and cleans", async () => {
    for (const name of ["compress", "clean"]) {
      expect(await run([name, writePdf("big.pdf")])).toMatchObject({ code: 0, stderr: "" });
    }
    for (const name of ["compressed-big.pdf", "cleaned-big.pdf"])
      expect(await qpdfCheck(at(name))).toMatchObject({ verdict: "ok", pageCount: 3 });
  });

  test("converts an office file by LibreOffice, and says when that is absent", async () => {
    writeFileSync(at("letter.rtf"), "{\\rtf1 hello}");
    const args = ["convert", "letter.rtf", "--output-format", "pdf"];
    const end = await run(args, { environment: { SOFFICE: WORKING_OFFICE } });
    expect(end).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(at("letter.pdf"), "latin1")).toBe("%PDF-1.7 made");
    const absent = await run([...args, "-f"], { environment: { SOFFICE: "", PATH: at("nowhere") } });
    expect(absent).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("RTF to PDF needs LibreOffice"),
    });
  });

  test("writes one result to the standard output, whole", async () => {
    const end = await run(["protect", writePdf("out.pdf"), "-o", "-"], {
      environment: { STAYPUT_PASSWORD: "key" },
    });
    expect(end).toMatchObject({ code: 0, stderr: "" });
    writeFileSync(at("received.pdf"), end.stdout);
    expect(await qpdfCheck(at("received.pdf"), "key")).toMatchObject({ verdict: "ok", pageCount: 3 });
  });

  test("prints the properties of files", async () => {
    const text = await run(["inspect", writePdf("seen.pdf")]);
    expect(String(text.stdout)).toMatch(/^seen\.pdf\n {2}format: pdf\n[\s\S]* {2}pages: 3\n/);
    const json = await run(["inspect", "seen.pdf", await writeLocked("shut.pdf"), "--json", "--hidden"]);
    expect(objectsOf(json.stdout)).toEqual([
      { success: true, files: ["seen.pdf"], properties: expect.objectContaining({ pages: 3 }) },
      {
        success: true,
        files: ["shut.pdf"],
        properties: expect.objectContaining({ opens_with_empty_password: false }),
      },
    ]);
  });

  test("prints a JSON object for each result, and goes on after a failure", async () => {
    writeFileSync(at("broken.pdf"), "%PDF-1.7\nnothing");
    const files = [writePdf("good.pdf"), "broken.pdf", "absent.pdf", "good.pdf"];
    const end = await run(["split", ...files, "--every", "2", "--json", "-f"]);
    const made = {
      success: true,
      files: ["good.pdf"],
      file_name: "split-good.zip",
      path: "split-good.zip",
      bytes: readFileSync(at("split-good.zip")).length,
    };
    const failed = (name: string, code: string) => ({
      success: false,
      files: [name],
      error: expect.objectContaining({ code, message: expect.any(String) }),
    });
    const expected = [made, failed("broken.pdf", "damaged_file"), failed("absent.pdf", "not_found"), made];
    expect(objectsOf(end.stdout)).toEqual(expected);
    expect(end).toMatchObject({ code: 5, stderr: "" });
  });

  test("takes --json=true as --json, and --json after -- as a file", async () => {
    const json = await run(["inspect", writePdf("seen.pdf"), "--json=true"]);
    expect(objectsOf(json.stdout)).toEqual([expect.objectContaining({ success: true })]);
    const text = await run(["inspect", "--", "--json"]);
    expect(text).toMatchObject({ code: 3, stderr: expect.stringContaining("--json: There is no file") });
    expect(text.stdout).toHaveLength(0);
  });

  test("keeps a file that is there, and overwrites it with --force", async () => {
    writeFileSync(at("split-kept.zip"), "mine");
    const args = ["split", writePdf("kept.pdf"), "--every", "1"];
    const end = await run(args);
    expect(end.code).toBe(2);
    expect(end.stderr).toMatch(/^stayput-service: kept\.pdf: "split-kept\.zip" is there already.*--force/);
    expect(readFileSync(at("split-kept.zip"), "utf8")).toBe("mine");
    expect((await run([...args, "--force", "--quiet"])).stdout).toHaveLength(0);
    expect(await unzipNames(at("split-kept.zip"))).toHaveLength(3);
  });
});

test.each([
  ["an unknown command", ["protec"]],
  ["the result on the standard output", ["compress", "a.pdf", "--output", "-"]],
])("with --json, %s is an object and nothing else", async (_title, args) => {
  writePdf("a.pdf");
  const end = await run([...args, "--json"]);
  expect(end).toMatchObject({ code: 2, stderr: "" });
  expect(objectsOf(end.stdout)).toMatchObject([{ success: false, error: { code: "invalid_parameter" } }]);
});

describe.skipIf(missing.length > 0)("the exit code", () => {
  mkdirSync(at("folder"));
  test.each([
    [0, "the help", ["--help"]],
    [0, "the help of the service", ["serve", "-h"]],
    [0, "the version", ["--version"]],
    [2, "a command that is not known", ["protec", "a.pdf"]],
    [2, "no file", ["compress"]],
    [2, "a field that is missing", ["convert", "a.pdf"]],
    [2, "a field with a wrong value", ["convert", "a.pdf", "--output-format", "jpg", "--quality", "2"]],
    [2, "a password that is missing", ["protect", "a.pdf"]],
    [2, "pages with wrong syntax", ["split", "a.pdf", "--pages", "1,,2"]],
    [2, "pages that are not there", ["split", "a.pdf", "--pages", "9"]],
    [3, "a file that is not there", ["compress", "absent.pdf"]],
    [3, "a password file that is not there", ["unlock", "a.pdf", "--password-file", "absent"]],
    [4, "a folder", ["compress", "folder"]],
    [4, "a picture in place of a PDF", ["compress", "a.png"]],
    [4, "a format that is not known", ["convert", "a.pdf", "--output-format", "mp3"]],
    [4, "a format that nothing writes", ["convert", "a.pdf", "--output-format", "heic"]],
    [6, "a password that is missing for a locked file", ["compress", "locked.pdf"]],
    [6, "a wrong password", ["unlock", "locked.pdf", "--password-file", "wrong.txt"]],
    [7, "a file that is not locked", ["unlock", "a.pdf", "--password-file", "wrong.txt"]],
    [7, "a file that is locked already", ["protect", "locked.pdf", "--password-file", "wrong.txt"]],
  ])("is %d for %s", async (code, _title, args) => {
    writePdf("a.pdf");
    writePicture("a.png");
    writeFileSync(at("wrong.txt"), "wrong key");
    if (!existsSync(at("locked.pdf"))) await writeLocked("locked.pdf");
    const end = await run(args);
    expect(end.code).toBe(code);
    // Results and help go to one stream, and errors to the other.
    expect([end.stdout.length > 0, end.stderr.length > 0]).toEqual([code === 0, code > 0]);
    expect(end.stderr).not.toContain("wrong key");
    expect(end.stderr).toMatch(code === 0 ? /^$/ : /^stayput-service: .* \([a-z_]+\)\n$/);
  });
});
