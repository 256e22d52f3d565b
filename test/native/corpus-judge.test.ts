import { copyFileSync, statSync, truncateSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Row } from "../corpus/family.ts";
import { examineFile } from "../corpus/pdf/cases.ts";
import { NativeSubject } from "../corpus/pdf/native-subject.ts";
import { PdfReference } from "../corpus/pdf/reference.ts";
import type { PdfOperation, PdfOutcome, PdfSubject } from "../corpus/pdf/subject.ts";
import { targetsOf } from "../corpus/report.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { qpdfEncrypt, qpdfPages } from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";

/** Native qpdf with outputs that the test damages. */
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

const missing = announceMissing("the comparison of PDFs in the corpus", ["qpdf", "pdftotext"]);

describe.skipIf(missing.length > 0).concurrent("the comparison of PDFs in the corpus", () => {
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
      nativeOpens: undefined,
    };
    const reference = new PdfReference(path, password, scratch);
    await examineFile({ entry, reference, subject, scratch, onRow: (row) => rows.push(row) });
    return rows;
  }

  /** Examines damaged outputs and returns the reasons of the failed checks. */
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

  test("accepts the outputs of native qpdf", async () => {
    const rows = [
      ...(await examine(new NativeSubject(), plain)),
      ...(await examine(new NativeSubject(), encrypted, "known")),
      ...(await examine(new NativeSubject(), broken)),
    ];
    expect(rows).toHaveLength(5 + 6 + 4);
    expect(rows.filter((row) => !row.passed)).toEqual([]);
    expect(targetsOf(rows).filter((target) => !target.met)).toEqual([]);
  });

  test("reports a missing or an additional page", async () => {
    const reasons = await reasonsWhenFiles(async (path, operation) => {
      const other = scratch.path("other.pdf");
      await qpdfPages(path, other, operation.kind === "split" ? "1,1" : "1-2");
      copyFileSync(other, path);
    });
    expect(reasons).toEqual(["2 pages, not 3", "file 1: 2 pages, not 1", "2 pages, not 3"]);
  });

  test("reports a changed text", async () => {
    const reasons = await reasonsWhenFiles(async (path, operation) => {
      await qpdfPages(plain, path, operation.kind === "split" ? "2" : "3,2,1");
    });
    for (const reason of reasons) expect(reason).toMatch(/pdftotext differs at byte \d+/);
  });

  test("reports a damaged output", async () => {
    const reasons = await reasonsWhenFiles((path) => truncateSync(path, statSync(path).size - 40));
    for (const reason of reasons) {
      expect(reason).toMatch(/qpdf --check: (warnings|error) where ok is allowed: /);
    }
  });

  test("reports an output that is still encrypted", async () => {
    const reasons = await reasonsWhenFiles(async (path) => {
      const other = scratch.path("other.pdf");
      await qpdfEncrypt(path, other, { user: "", owner: "owner" });
      copyFileSync(other, path);
    });
    expect(reasons).toEqual(["is still encrypted", "file 1: is still encrypted", "is still encrypted"]);
  });

  test("reports a protected output that is not encrypted", async () => {
    const unprotected = async (outcome: PdfOutcome, operation: PdfOperation): Promise<PdfOutcome> =>
      operation.kind === "protect" ? { kind: "files", paths: [plain] } : outcome;
    const [protecting] = await examine(new SpoiltSubject(unprotected), plain);
    expect(protecting).toMatchObject({ operation: "protect", why: "is not encrypted" });
    const [refusing] = await examine(new SpoiltSubject(unprotected), encrypted, "known");
    expect(refusing).toMatchObject({
      operation: "protect, encrypted",
      why: "gave a file instead of already_encrypted",
    });
  });

  test("reports a missing file of a split", async () => {
    const first = async (outcome: PdfOutcome): Promise<PdfOutcome> =>
      outcome.kind === "files" ? { kind: "files", paths: outcome.paths.slice(0, 1) } : outcome;
    const rows = await examine(new SpoiltSubject(first), plain);
    expect(rows.filter((row) => !row.passed)).toMatchObject([{ operation: "split", why: "1 files, not 2" }]);
  });

  test("reports the refusal of a good file and a wrong error code", async () => {
    const refuse = async (): Promise<PdfOutcome> => ({
      kind: "typed error",
      code: "not_encrypted",
      message: "No.",
    });
    const rows = await examine(new SpoiltSubject(refuse), encrypted, "known");
    expect(rows.map((row) => row.why)).toEqual([
      "refused with not_encrypted, not already_encrypted",
      "refused with not_encrypted: No.",
      "refused with not_encrypted: No.",
      "refused with not_encrypted: No.",
      "refused with not_encrypted, not wrong_password",
      "refused with not_encrypted, not password_required",
    ]);
  });

  test.each(["hung", "crashed", "out of memory", "untyped error"] as const)(
    "reports an operation that %s, even for a file that native qpdf cannot open",
    async (kind) => {
      const fail = async (): Promise<PdfOutcome> => ({ kind, message: "as told" });
      const rows = await examine(new SpoiltSubject(fail), broken);
      expect(rows.map((row) => [row.why, row.disaster])).toEqual(Array(4).fill([`${kind}: as told`, kind]));
      const missed = targetsOf(rows).filter((target) => !target.met);
      expect(missed.map((target) => target.name)).toContain(
        "spoilt: nothing hangs, crashes, runs out of memory or fails without a typed error",
      );
    },
  );
});
