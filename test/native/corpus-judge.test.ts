import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Row } from "../corpus/family.ts";
import { examineFile } from "../corpus/pdf/cases.ts";
import { NativeSubject } from "../corpus/pdf/native-subject.ts";
import { PdfReference } from "../corpus/pdf/reference.ts";
import type { PdfOperation, PdfOutcome, PdfSubject } from "../corpus/pdf/subject.ts";
import { targetsOf } from "../corpus/report.ts";
import { makePdf, pageText } from "../fixtures/pdf.ts";
import { qpdfEncrypt, qpdfPages, qpdfRewrite } from "./oracles.ts";
import { onDisk } from "./pdf-files.ts";
import { announceMissing, Scratch } from "./tools.ts";

/** Native qpdf whose every outcome is spoilt on the way. */
class SpoiltSubject implements PdfSubject {
  readonly name = "spoilt";
  readonly #native = new NativeSubject();
  readonly #spoil: (outcome: PdfOutcome, operation: PdfOperation) => Promise<PdfOutcome>;

  constructor(spoil: (outcome: PdfOutcome, operation: PdfOperation) => Promise<PdfOutcome>) {
    this.#spoil = spoil;
  }

  async prepare(): Promise<void> {}

  async run(operation: PdfOperation, inputPath: string, outputDirectory: string): Promise<PdfOutcome> {
    return this.#spoil(await this.#native.run(operation, inputPath, outputDirectory), operation);
  }

  async close(): Promise<void> {}
}

const missing = announceMissing("the corpus's comparison", ["qpdf", "pdftotext"]);

describe.skipIf(missing.length > 0)("the corpus's comparison", () => {
  const scratch = new Scratch();
  let plain = "";
  let encrypted = "";
  const broken = onDisk(scratch, new TextEncoder().encode("no PDF"));

  beforeAll(async () => {
    plain = onDisk(scratch, makePdf({ pages: 3 }));
    encrypted = scratch.path("encrypted.pdf");
    await qpdfEncrypt(plain, encrypted, { user: "known", owner: "owner" });
  });
  afterAll(() => scratch.remove());

  async function examine(subject: PdfSubject, path: string, password?: string): Promise<readonly Row[]> {
    const rows: Row[] = [];
    const entry = {
      file: path,
      bytes: 0,
      encrypted: password !== undefined,
      password,
      qpdfCheck: undefined,
      qpdfPages: undefined,
    };
    const reference = new PdfReference(path, password, scratch);
    await examineFile({ entry, reference, subject, scratch, onRow: (row) => rows.push(row) });
    return rows;
  }

  const isFile = (outcome: PdfOutcome) => outcome.kind === "files";

  /** Examines with every file spoilt; gives the reasons of the checks that are about files. */
  async function reasonsWhenFiles(spoil: (path: string, operation: PdfOperation) => Promise<void> | void) {
    const spoiltFiles = async (outcome: PdfOutcome, operation: PdfOperation) => {
      if (outcome.kind === "files") for (const path of outcome.paths) await spoil(path, operation);
      return outcome;
    };
    const rows = await examine(new SpoiltSubject(spoiltFiles), encrypted, "known");
    const about = rows.filter((row) => /^(unlock|split|rewrite), came/.test(row.operation));
    expect(about).toHaveLength(3);
    return about.map((row) => row.why);
  }

  test("finds nothing to say against native qpdf", async () => {
    const rows = [
      ...(await examine(new NativeSubject(), plain)),
      ...(await examine(new NativeSubject(), encrypted, "known")),
      ...(await examine(new NativeSubject(), broken)),
    ];
    expect(rows).toHaveLength(5 + 6 + 4);
    expect(rows.filter((row) => !row.passed)).toEqual([]);
    expect(targetsOf(rows).filter((target) => !target.met)).toEqual([]);
  });

  test("sees a page too many or too few", async () => {
    const reasons = await reasonsWhenFiles(async (path, operation) => {
      const other = scratch.path("other.pdf");
      await qpdfPages(path, other, operation.kind === "split" ? "1,1" : "1-2");
      writeFileSync(path, readFileSync(other));
    });
    expect(reasons).toEqual(["2 pages, not 3", "file 1: 2 pages, not 1", "2 pages, not 3"]);
  });

  test("sees another text on a page", async () => {
    const reasons = await reasonsWhenFiles((path) => {
      const text = readFileSync(path, "latin1");
      writeFileSync(path, text.replaceAll(pageText(1), pageText(9)).replaceAll(pageText(3), pageText(9)), "latin1");
    });
    // Native qpdf deflates the streams: there is nothing to replace in them.
    expect(reasons).toEqual(["", "", ""]);
    const other = scratch.path("other.pdf");
    await qpdfRewrite(onDisk(scratch, makePdf({ pages: 3 })), other);
  });
});
