import { runTool, type ToolRun } from "../../support/native-tools.ts";

/** A file, and its password. */
export interface LockedFile {
  readonly path: string;
  readonly password?: string | undefined;
}

/** A part of a document that compression must not change, as a native program prints it. */
type Witness = (file: LockedFile) => Promise<string | undefined>;

/** Longer than what native programs take for sound files. */
const TIME_LIMIT_MS = 30_000;

const opened = ({ password }: LockedFile, option: string) =>
  password === undefined ? [] : [option, password];

const poppler =
  (
    tool: "pdftotext" | "pdfinfo" | "pdfdetach",
    options: readonly string[],
    output: readonly string[] = [],
  ): Witness =>
  async (file) =>
    printed(await runTool(tool, [...options, ...opened(file, "-upw"), file.path, ...output], TIME_LIMIT_MS));

/** Values of a document in the JSON of qpdf, without object numbers. */
const qpdf =
  (...keys: readonly string[]): Witness =>
  async (file) => {
    const options = [
      "--json=1",
      ...keys.map((key) => `--json-key=${key}`),
      `--password=${file.password ?? ""}`,
    ];
    const text = printed(await runTool("qpdf", [...options, file.path], TIME_LIMIT_MS));
    return text?.replaceAll(/"\d+ \d+ R"/g, '"R"');
  };

const WITNESSES: Readonly<Record<string, Witness>> = {
  text: poppler("pdftotext", ["-enc", "UTF-8"], ["-"]),
  tags: poppler("pdfinfo", ["-struct-text"]),
  links: poppler("pdfinfo", ["-url"]),
  destinations: poppler("pdfinfo", ["-dests"]),
  scripts: poppler("pdfinfo", ["-js"]),
  "page boxes": poppler("pdfinfo", ["-box", "-l", "100"]),
  attachments: poppler("pdfdetach", ["-list"]),
  "outline, fields and labels": qpdf("outlines", "acroform", "pagelabels"),
};

/** What `pdfinfo` prints of the file itself: its size and its version, and the numbers of objects. */
const OF_THE_FILE = /^(?:File size|PDF version|Optimized|Encrypted):.*\n|\bObject \d+ \d+/gm;

/**
 * Returns the parts of a document that another one lacks, or has otherwise, as native programs see them. What a program cannot
 * read of the original is not compared.
 */
export async function changedParts(before: LockedFile, after: LockedFile): Promise<readonly string[]> {
  const changed = await Promise.all(
    Object.entries(WITNESSES).map(async ([part, witness]) => {
      const [old, made] = await Promise.all([witness(before), witness(after)]);
      return old === undefined || old === made ? [] : [part];
    }),
  );
  return changed.flat();
}

/** The output of a program; undefined when it failed. Warnings of qpdf are no failure. */
function printed({ code, stdout }: ToolRun): string | undefined {
  return code === 0 || code === 3 ? stdout.toString("utf8").replaceAll(OF_THE_FILE, "") : undefined;
}
