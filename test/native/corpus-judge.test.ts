import { copyFileSync, statSync, truncateSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Row } from "../corpus/family.ts";
import { examineFile } from "../corpus/pdf/cases.ts";
import { PdfReference } from "../corpus/pdf/reference.ts";
import { nodeSubject, type PdfOperation, type PdfOutcome } from "../corpus/pdf/subject.ts";
import { targetsOf } from "../corpus/report.ts";
import { OurEngine } from "../corpus/split/contestant.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { qpdfEncrypt, qpdfPages } from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";

type Spoil = (path: string, operation: PdfOperation) => Promise<unknown> | unknown;

const missing = announceMissing("the comparison of PDFs in the corpus", ["qpdf", "pdftotext"]);

describe.skipIf(missing.length > 0)("the comparison of PDFs in the corpus", () => {
  const scratch = new Scratch();
  const engine = new OurEngine();
  const plain = onDisk(scratch, makePdf({ pages: 3 }));
  const broken = onDisk(scratch, new TextEncoder().encode("no PDF"));
  const encrypted = scratch.path("encrypted.pdf");

  beforeAll(() => qpdfEncrypt(plain, encrypted, { user: "known", owner: "owner" }));
  afterAll(async () => {
    await engine.close();
    scratch.remove();
  });

  /** Examines a file with our engine, whose outcomes the test changes. */
  async function examine(
    path: string,
    password: string | undefined,
    change: (outcome: PdfOutcome, operation: PdfOperation) => PdfOutcome | Promise<PdfOutcome>,
  ): Promise<readonly Row[]> {
    const rows: Row[] = [];
    const unknown = { bytes: 0, qpdfCheck: undefined, qpdfPages: undefined, nativeOpens: undefined };
    await examineFile({
      entry: { ...unknown, file: path, encrypted: password !== undefined, password },
      reference: new PdfReference(path, password, scratch),
      subject: {
        ...nodeSubject(engine),
        run: async (operation, ...paths) => change(await engine.run(operation, ...paths), operation),
      },
      scratch,
      onRow: (row) => rows.push(row),
    });
    return rows;
  }

  async function replaced(path: string, write: (output: string) => Promise<unknown>): Promise<void> {
    const other = scratch.path("other.pdf");
    await write(other);
    copyFileSync(other, path);
  }

  const takePages =
    (selections: { readonly split: string; readonly whole: string }): Spoil =>
    (path, { kind }) =>
      replaced(path, (other) =>
        qpdfPages(plain, other, kind === "split" ? selections.split : selections.whole),
      );

  test.each<[damage: string, spoil: Spoil, reason: RegExp]>([
    [
      "has a page too few or too many",
      takePages({ split: "1,1", whole: "1-2" }),
      /^(file 1: )?2 pages, not [13]$/,
    ],
    ["has other pages", takePages({ split: "2", whole: "3,2,1" }), /pdftotext differs at byte \d+/],
    [
      "is cut off",
      (path) => truncateSync(path, statSync(path).size - 40),
      /qpdf --check: (warnings|error) where ok is allowed: /,
    ],
    [
      "is still encrypted",
      (path) => replaced(path, (other) => qpdfEncrypt(path, other, { user: "", owner: "owner" })),
      /^(file 1: )?is still encrypted$/,
    ],
  ])("reports an output that %s", async (_, spoil, reason) => {
    const rows = await examine(encrypted, "known", async (outcome, operation) => {
      if (outcome.kind === "files") for (const path of outcome.paths) await spoil(path, operation);
      return outcome;
    });
    const reasons = rows
      .filter(({ operation }) => operation.endsWith("came encrypted"))
      .map(({ why }) => why);
    expect(reasons).toEqual(Array(3).fill(expect.stringMatching(reason)));
  });

  test("reports a protected output that is not encrypted, a lost file and a wrong error", async () => {
    const rows = [
      ...(await examine(plain, undefined, (outcome, { kind }) =>
        outcome.kind === "files"
          ? { kind: "files", paths: kind === "protect" ? [plain] : outcome.paths.slice(1) }
          : outcome,
      )),
      ...(await examine(encrypted, "known", () => ({
        kind: "typed error",
        code: "not_encrypted",
        message: "No.",
      }))),
    ];
    expect(rows.map(({ why }) => why)).toEqual([
      "is not encrypted",
      "bytes: at 0",
      expect.stringContaining("refused with not_encrypted: "),
      "",
      "1 files, not 2",
      "0 files, not 1",
      "refused with not_encrypted, not already_encrypted",
      ...Array(3).fill("refused with not_encrypted: No."),
      "refused with not_encrypted, not wrong_password",
      "refused with not_encrypted, not password_required",
    ]);
  });

  test.each(["hung", "crashed", "out of memory", "untyped error"] as const)(
    "reports an operation that %s, even for a file that native qpdf cannot open",
    async (kind) => {
      const rows = await examine(broken, undefined, () => ({ kind, message: "as told" }));
      expect(rows.map((row) => [row.why, row.disaster])).toEqual(Array(4).fill([`${kind}: as told`, kind]));
      const missed = targetsOf(rows).filter((target) => !target.met);
      expect(missed.map((target) => target.name)).toContain(
        "node: nothing hangs, crashes, runs out of memory or fails without a typed error",
      );
    },
  );
});
