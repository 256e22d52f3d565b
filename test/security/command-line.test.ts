import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { COMMAND_SCRIPT, commandLine } from "../support/command-line.ts";
import { protectBytes, unlockBytes } from "../support/engine.ts";
import { eventually } from "../support/eventually.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { readProcess } from "../support/process-files.ts";
import { officeScript } from "../support/started-service.ts";

// Operations as commands: passwords stay out of command lines and messages, and a command that is ended leaves nothing.

const { folder, temporary, leftovers, start, run } = commandLine();
const NO_PROC = !existsSync("/proc/self/cmdline");
const NO_TERMINAL = spawnSync("script", ["--version"], { stdio: "ignore" }).error !== undefined;

const at = (name: string) => join(folder, name);
const SECRET = "open-sesame";

function writePdf(name: string, pages = 3): string {
  writeFileSync(at(name), makePdf({ pages }));
  return name;
}

/** Starts to draw many pages, which takes minutes, and waits until the engine has begun. */
async function startLong(...more: readonly string[]) {
  const child = start([
    "convert",
    writePdf("long.pdf", 500),
    "--output-format",
    "png",
    "--dpi",
    "600",
    ...more,
  ]);
  onTestFinished(async () => {
    if (child.kill("SIGTERM")) await once(child, "close");
  });
  await eventually(() => expect(readdirSync(temporary, { recursive: true }).join()).toMatch(/thread-/));
  return child;
}

describe("a password", () => {
  test.each([
    ["protect", "--password", SECRET],
    ["protect", "--owner-password", SECRET],
    ["unlock", `--password=${SECRET}`],
    ["unlock", `--pasword=${SECRET}`],
    ["unlock", "-p", SECRET],
  ])("is refused on the command line: %s %s", async (name, ...args) => {
    const end = await run([name, writePdf("a.pdf"), ...args]);
    expect(end.code).toBe(2);
    expect(String(end.stdout) + end.stderr).not.toContain(SECRET);
    expect(existsSync(at("protected-a.pdf"))).toBe(false);
  });

  test("is in no output, whatever comes of it", async () => {
    writeFileSync(at("locked.pdf"), await protectBytes(makePdf({ pages: 1 }), { password: "another" }));
    writePdf("plain.pdf");
    const environment = { STAYPUT_PASSWORD: SECRET, STAYPUT_OWNER_PASSWORD: SECRET };
    const calls = [
      ["unlock", "locked.pdf"],
      ["unlock", "plain.pdf"],
      ["protect", "plain.pdf", "--permissions", "print"],
      ["split", "locked.pdf", "--every", "1"],
      ["merge", "locked.pdf", "plain.pdf"],
    ];
    for (const args of calls) {
      for (const style of [[], ["--json"]]) {
        const { code, stdout, stderr } = await run([...args, ...style], { environment });
        expect(code, args.join(" ")).toBeGreaterThan(0);
        expect(String(stdout) + stderr).not.toContain(SECRET);
      }
    }
  });

  test.skipIf(NO_PROC)("is on no command line of the process and what it starts", async () => {
    writeFileSync(at("secret"), SECRET);
    const child = await startLong("--password-file", "secret");
    const lines = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readProcess(Number(pid), "cmdline"));
    expect(readProcess(child.pid ?? 0, "cmdline")).toContain("--password-file");
    expect(lines.filter((line) => line.includes(SECRET))).toEqual([]);
  });

  test.skipIf(NO_TERMINAL)("is asked for at a terminal, without showing it", async () => {
    writeFileSync(at("asked.pdf"), await protectBytes(makePdf({ pages: 1 }), { password: SECRET }));
    const screen = await atTerminal(
      ["unlock", "asked.pdf"],
      [
        [/Password of asked\.pdf: $/, "wrong-one\r"],
        [/Wrong\. Password of asked\.pdf: $/, `${SECRET}\r`],
      ],
    );
    expect(screen).toContain("unlocked-asked.pdf");
    expect(screen).not.toMatch(/sesame|wrong-one/);
    await expect(unlockBytes(readFileSync(at("unlocked-asked.pdf")), "")).rejects.toMatchObject({
      code: "not_encrypted",
    });
  });

  test.skipIf(NO_TERMINAL)("is asked for twice when it is new", async () => {
    writePdf("new.pdf");
    await atTerminal(
      ["protect", "new.pdf"],
      [
        [/New password: $/, `${SECRET}\r`],
        [/The same again: $/, `${SECRET}\r`],
      ],
    );
    const locked = readFileSync(at("protected-new.pdf"));
    expect((await unlockBytes(locked, SECRET)).length).toBeGreaterThan(0);
  });

  test.skipIf(NO_TERMINAL)("that is not given ends the call", async () => {
    writeFileSync(at("asked.pdf"), await protectBytes(makePdf({ pages: 1 }), { password: SECRET }));
    const screen = await atTerminal(["compress", "asked.pdf"], [[/Password of asked\.pdf: $/, "\r"]]);
    expect(screen).toMatch(/\(password_required\)\r\n$/);
  });
});

describe("a command that is ended", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("by %s leaves no file", async (signal, code) => {
    const before = readdirSync(folder);
    const child = await startLong("-o", "pages.zip");
    child.kill(signal);
    expect((await once(child, "close"))[0]).toBe(code);
    expect(leftovers()).toEqual([]);
    expect(readdirSync(folder).filter((name) => !before.includes(name) && name !== "long.pdf")).toEqual([]);
  });

  test.skipIf(process.platform === "win32")("while a password file waits for its writer", async () => {
    for (const name of ["written", "waiting"]) execFileSync("mkfifo", [at(name)]);
    const files = ["--password-file", "written", "--owner-password-file", "waiting"];
    const child = start(["protect", writePdf("a.pdf"), ...files]);
    const end = once(child, "close");
    await writeFile(at("written"), "key\n");
    child.kill("SIGINT");
    // A shell reports this end as 130.
    expect(await end).toEqual([null, "SIGINT"]);
    expect(leftovers()).toEqual([]);
  });

  test("ends LibreOffice, too", async () => {
    const pids = at("pids");
    const office = officeScript(`echo $$ > ${pids}; exec tail -f /dev/null`);
    writeFileSync(at("letter.rtf"), "{\\rtf1 hello}");
    const args = ["convert", "letter.rtf", "--output-format", "odt"];
    const child = start(args, { SOFFICE: office, STAYPUT_PASSWORD: SECRET });
    await eventually(() => expect(readFileSync(pids, "utf8").trim()).not.toBe(""));
    const pid = Number(readFileSync(pids, "utf8"));
    expect(readProcess(pid, "environ")).not.toContain(SECRET);
    child.kill("SIGTERM");
    expect((await once(child, "close"))[0]).toBe(143);
    await eventually(() => expect(readProcess(pid, "status")).not.toMatch(/^State:\s+[^Z]/m));
    expect(leftovers()).toEqual([]);
  });

  test("by a crash leaves what the next command removes", async () => {
    const child = await startLong("-o", "pages.zip");
    child.kill("SIGKILL");
    await once(child, "close");
    expect(leftovers()).toHaveLength(1);
    expect((await run(["inspect", "long.pdf"])).code).toBe(0);
    expect(leftovers()).toEqual([]);
  });

  test("because its output is no longer read exits with 141", async () => {
    writeFileSync(at("large.pdf"), makePdf({ pages: 4, ballastPerPage: 2_000_000 }));
    const child = start(["split", "large.pdf", "--every", "1", "-o", "-"]);
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString("utf8");
    });
    await once(child.stdout, "data");
    child.stdout.destroy();
    expect((await once(child, "close"))[0]).toBe(141);
    expect(errors).toBe("");
    expect(leftovers()).toEqual([]);
  });
});

describe("a full disk", () => {
  test.skipIf(!existsSync("/dev/full"))("of the standard output ends a command with a message", async () => {
    writeFileSync(at("small.pdf"), makePdf({ pages: 1 }));
    const command = [process.execPath, ...COMMAND_SCRIPT, "compress", "small.pdf", "--output", "-"];
    const { status, stderr } = spawnSync("sh", ["-c", 'exec "$0" "$@" > /dev/full', ...command], {
      cwd: folder,
      env: { ...process.env, TMPDIR: temporary },
      encoding: "utf8",
    });
    expect(stderr).toMatch(
      /^stayput-service: "standard output" cannot be written: the disk is full\. .*ENOSPC\)\n$/,
    );
    expect(status).toBe(1);
    expect(leftovers()).toEqual([]);
  });

  test("of temporary files is named as the cause", async () => {
    const full = `
      import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      const error = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      fs.promises.writeFile = () => Promise.reject(error);
      syncBuiltinESMExports();
    `;
    writeFileSync(at("full.mjs"), full);
    writeFileSync(at("note.rtf"), "{\\rtf1 hello}");
    const environment = {
      NODE_OPTIONS: `--import ${pathToFileURL(at("full.mjs")).href}`,
      SOFFICE: officeScript(),
    };
    const end = await run(["convert", "note.rtf", "--output-format", "odt"], { environment });
    expect(end).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The folder for temporary files is full."),
    });
    expect(leftovers()).toEqual([]);
  });
});

test("a name with controls does not reach the terminal as it is", async () => {
  const end = await run(["compress", "\x1b]0;title\x07.pdf"]);
  expect(end.code).toBe(3);
  expect(end.stderr).toContain("?]0;title?.pdf");
});

/**
 * Runs a command at a terminal, which `script` makes.
 *
 * @param dialog what is typed, each after the screen shows its question
 * @returns all that the screen has shown
 */
async function atTerminal(
  args: readonly string[],
  dialog: readonly (readonly [question: RegExp, typed: string])[],
): Promise<string> {
  const quoted = [process.execPath, ...COMMAND_SCRIPT, ...args].map((arg) => `'${arg}'`).join(" ");
  const child = spawn("script", ["-q", "-c", quoted, "/dev/null"], {
    cwd: folder,
    env: { ...process.env, TMPDIR: temporary },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let screen = "";
  child.stdout.on("data", (chunk: Buffer) => {
    screen += chunk.toString("utf8");
  });
  for (const [question, typed] of dialog) {
    await eventually(() => expect(screen).toMatch(question));
    child.stdin.write(typed);
  }
  await once(child, "close");
  return screen;
}
