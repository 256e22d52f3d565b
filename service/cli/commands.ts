import type { Fields } from "../../src/fields.ts";
import type { OperationName } from "../../src/http/path.ts";
import { INSPECT_FIELDS } from "../../src/inspect.ts";
import { OPERATIONS } from "../../src/operations.ts";

/** The name of the program, for messages. */
export const PROGRAM = "stayput-service";

/** What a command runs: an operation, or the inspection of a file, which makes no file. */
export type CommandCall = OperationName | "inspect";

/** One command of the program. */
export interface Command {
  readonly name: string;
  readonly call: CommandCall;
  /** What it does, in one line. */
  readonly about: string;
  /** The arguments of a typical call. */
  readonly example: string;
}

const TEXTS: Readonly<Record<CommandCall, Omit<Command, "call">>> = {
  protectPdf: {
    name: "protect",
    about: "encrypts a PDF with a password",
    example: "protect report.pdf --password-file secret.txt --permissions print,copy",
  },
  unlockPdf: {
    name: "unlock",
    about: "decrypts a PDF",
    example: "unlock protected-report.pdf --password-file secret.txt",
  },
  splitPdf: {
    name: "split",
    about: "splits a PDF into a zip of PDFs",
    example: "split report.pdf --pages 1-3,5,last",
  },
  mergePdf: {
    name: "merge",
    about: "merges PDFs and images into one PDF, in the order of the files",
    example: "merge cover.jpg report.pdf --output whole.pdf",
  },
  convert: {
    name: "convert",
    about: "converts PDFs and images",
    example: "convert *.heic --output-format jpg --max-bytes 2000000 --output photos",
  },
  compressPdf: {
    name: "compress",
    about: "makes a PDF smaller",
    example: "compress scan.pdf --dpi 120",
  },
  cleanPdf: {
    name: "clean",
    about: "removes what a PDF holds besides its visible pages",
    example: "clean report.pdf --keep comments --flatten",
  },
  inspect: {
    name: "inspect",
    about: "prints the properties of files",
    example: "inspect *.pdf --json",
  },
};

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = Object.entries(TEXTS).map(([call, texts]) => ({
  ...texts,
  call: call as CommandCall,
}));

/** Returns the command of a name. */
export function commandNamed(name: string): Command | undefined {
  return COMMANDS.find((command) => command.name === name);
}

/** Returns the fields of a command. Those but the file are its options. */
export function fieldsOf({ call }: Command): Fields {
  return call === "inspect" ? INSPECT_FIELDS : OPERATIONS[call].fields;
}

/** Returns whether all files are one call. Otherwise each is a call of its own. */
export function takesAllFiles({ call }: Command): boolean {
  return call === "mergePdf";
}

/** The name of a field of any command. */
export type FieldName =
  | { [Name in OperationName]: keyof (typeof OPERATIONS)[Name]["fields"] }[OperationName]
  | keyof typeof INSPECT_FIELDS;
