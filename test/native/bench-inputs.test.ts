import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { benchInputs, INPUT_NAMES } from "../bench/pdf/bench-inputs.ts";
import { writeReport } from "../bench/pdf/inputs/report.ts";
import { writeScan } from "../bench/pdf/inputs/scan.ts";
import { packIntoObjectStreams, writeSmallObjects } from "../bench/pdf/inputs/small-objects.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";
import { popplerText, qpdfCheck } from "../support/oracles.ts";
import { fromDisk } from "../support/pdf-files.ts";

const missing = announceMissing("the benchmark's inputs", ["qpdf", "pdftotext"]);

describe.skipIf(missing.length > 0)("the benchmark's inputs", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  async function expectSound(path: string, pageCount: number) {
    expect(await qpdfCheck(path)).toEqual({ verdict: "ok", pageCount, encrypted: false, complaint: "" });
  }

  /** How many objects native qpdf finds in a file. */
  async function objectCount(path: string): Promise<number> {
    const { stdout } = await runTool("qpdf", ["--show-xref", path]);
    return stdout.toString().trim().split("\n").length;
  }

  const digest = (path: string) => createHash("sha256").update(fromDisk(path)).digest("hex");

  const isInStream = async (path: string) =>
    (await runTool("qpdf", ["--show-xref", path])).stdout.toString().includes("compressed; stream");

  test("makes a valid scan of the requested size", async () => {
    const path = scratch.path("scan.pdf");
    writeScan(path, { pages: 12, bytesPerPage: 30_000 });
    await expectSound(path, 12);
    expect(statSync(path).size).toBeGreaterThan(12 * 30_000);
    expect(statSync(path).size).toBeLessThan(12 * 31_000);
  });

  test.each([9, 25, 100])("%i small objects on each of 120 pages are sound and all there", async (count) => {
    const path = scratch.path("objects.pdf");
    writeSmallObjects(path, { pages: 120, objectsPerPage: count });
    await expectSound(path, 120);
    // Also a catalog, the root of the page tree, a font, the information and three nodes of up to 50 pages.
    expect(await objectCount(path)).toBe(120 * count + 7);
    expect(await isInStream(path)).toBe(false);
  });

  test("refuses too few objects on a page", () => {
    const shape = { pages: 1, objectsPerPage: 8 };
    expect(() => writeSmallObjects(scratch.path("objects.pdf"), shape)).toThrow("9 objects");
  });

  test("makes a valid PDF with object streams", async () => {
    const [plain, packed] = [scratch.path("plain.pdf"), scratch.path("packed.pdf")];
    writeSmallObjects(plain, { pages: 20, objectsPerPage: 40 });
    await packIntoObjectStreams(plain, packed, 30_000);
    await expectSound(packed, 20);
    expect(await isInStream(packed)).toBe(true);
    expect(await objectCount(packed)).toBeGreaterThanOrEqual(20 * 40);
  });

  test("makes a valid report of 20 pages and 1 MB with readable text", async () => {
    const path = scratch.path("report.pdf");
    writeReport(path, { pages: 20 });
    await expectSound(path, 20);
    expect(statSync(path).size / 1_000_000).toBeCloseTo(1, 1);
    const text = (await popplerText(path)).toString();
    expect(text.match(/(?<=^\f?Chapter )\d+$/gm)).toEqual(
      Array.from({ length: 20 }, (_, index) => `${index + 1}`),
    );
  });

  test("makes the same bytes each time", async () => {
    const inputs = benchInputs(0.003);
    expect(inputs.map(({ name }) => name)).toEqual(INPUT_NAMES);
    for (const input of inputs) {
      const [one, other] = [scratch.path("one.pdf"), scratch.path("other.pdf")];
      await input.write(one);
      await input.write(other);
      await expectSound(one, input.pageCount);
      // Native qpdf, which packs the object streams, gives each file an identifier of its own.
      if (input.name !== "object streams") expect(digest(one)).toBe(digest(other));
    }
  });
});
