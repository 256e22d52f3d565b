import { readFile } from "node:fs/promises";
import { announceBrowser, type BrowserName, BrowserSession } from "../support/browsers/browser-session.ts";
import { columns } from "../support/columns.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { mustRun } from "../support/oracles.ts";
import { wordShares } from "../support/word-shares.ts";
import { type MatrixRow, matrixRows, PASSWORD, SIZE } from "./matrix.ts";

/**
 * `npm run test:browsers`: each operation and each pair of formats in Chromium, Firefox and WebKit, as a table. Native
 * programs judge the outputs. A cell holds the milliseconds of the call, the first one of an engine included, while
 * the other browsers work, too.
 */

const BROWSERS: readonly BrowserName[] = ["chromium", "firefox", "webkit"];

/** What a browser made of a row. */
interface Cell {
  readonly text: string;
  /** Why it failed; empty if it passed. */
  readonly problem: string;
}

async function runRow(session: BrowserSession, row: MatrixRow, scratch: Scratch): Promise<Cell> {
  const output = scratch.path(`output.${row.output}`);
  const answer = await session.run(row.job, row.input, output);
  if (answer.kind !== "file") {
    const code = answer.kind === "typed error" ? answer.code : answer.kind;
    return { text: code, problem: answer.message };
  }
  try {
    await judge(row, output);
    return { text: `${Math.round(answer.milliseconds)} ms`, problem: "" };
  } catch (error) {
    return { text: "wrong", problem: String(error) };
  }
}

/** Checks an output with a native program. */
async function judge({ name, job, input, output, size = SIZE }: MatrixRow, path: string): Promise<void> {
  switch (output) {
    case "zip":
      await mustRun("unzip", ["-tqq", path]);
      return;
    case "pdf": {
      const password = job.operation === "protect" ? [`--password=${PASSWORD}`] : [];
      await mustRun("qpdf", ["--check", ...password, path]);
      return;
    }
    case "txt": {
      const native = (await mustRun("pdftotext", [input, "-"])).toString();
      const shares = wordShares(await readFile(path, "utf8"), native);
      if (shares.some((share) => share < 1)) throw new Error("pdftotext reads other words");
      return;
    }
    default: {
      const header = (await mustRun("vipsheader", [path])).toString();
      // Pages have a size of their own.
      const isWrong = !name.startsWith("pdf") && !header.includes(`${size.width}x${size.height} `);
      if (isWrong) throw new Error(`the picture has another size: ${header}`);
    }
  }
}

async function runBrowser(
  browser: BrowserName,
  rows: readonly MatrixRow[],
  scratch: Scratch,
): Promise<readonly Cell[]> {
  const session = await BrowserSession.start(browser, "test/browsers/page.ts");
  try {
    const cells: Cell[] = [];
    for (const row of rows) cells.push(await runRow(session, row, scratch));
    return cells;
  } finally {
    await session.close();
  }
}

async function main(): Promise<void> {
  if (
    announceMissing("the browsers", ["qpdf", "unzip", "vips", "vipsheader", "heif-enc", "cjxl", "pdftotext"])
      .length > 0
  )
    return;
  const scratch = new Scratch();
  try {
    const rows = await matrixRows(scratch);
    const browsers = BROWSERS.filter((browser) => announceBrowser(browser, "the matrix"));
    // Side by side: each takes one core for most of the time.
    const cells = await Promise.all(browsers.map((browser) => runBrowser(browser, rows, scratch)));
    const lines = rows.map(({ name }, index) => [name, ...cells.map((own) => own[index]?.text ?? "")]);
    console.log(columns([["", ...browsers], ...lines], (column) => column === 0).join("\n"));
    report(browsers, rows, cells);
  } finally {
    scratch.remove();
  }
}

function report(
  browsers: readonly BrowserName[],
  rows: readonly MatrixRow[],
  all: readonly (readonly Cell[])[],
): void {
  const failures = all.flatMap((cells, column) =>
    cells.flatMap(({ problem }, row) =>
      problem === "" ? [] : [`FAILED  ${rows[row]?.name} in ${browsers[column]}: ${problem}`],
    ),
  );
  console.log(["", ...failures].join("\n"));
  console.log(`${rows.length * browsers.length - failures.length} passed, ${failures.length} failed`);
  if (failures.length > 0) process.exitCode = 1;
}

await main();
