import { afterEach, describe, expect, test } from "vitest";
import type { FileEngine, Job } from "../../src/shared/protocol.ts";
import { runJob } from "../../workers/engines.ts";
import { protectBytes } from "../support/engine.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { CountingReader, ReadableBlob } from "../support/readable-blob.ts";

// The promises: a result is a new file, and an archive has the date of the input in UTC. Scripts cannot change the bytes of
// a Blob, so the input stays as it was.

const pdf = makePdf({ pages: 2 });
const png = makePng({ width: 4, height: 4, colorType: 2, bitDepth: 8, sample: (x, y) => [x, y, 9] });
const run = (job: Job<FileEngine>) => runJob(job, { reader: new CountingReader(), helpers: 0 });

describe("a result is a new file and never the input", () => {
  const password = "secret";
  const jobs: readonly (readonly [
    string,
    () => Promise<Uint8Array<ArrayBuffer>>,
    (file: Blob) => Job<FileEngine>,
  ])[] = [
    ["protect", async () => pdf, (file) => ({ engine: "pdf/protect", file, password })],
    [
      "unlock",
      async () => Uint8Array.from(await protectBytes(pdf, { password })),
      (file) => ({ engine: "pdf/unlock", file, password }),
    ],
    [
      "split",
      async () => pdf,
      (file) => ({ engine: "pdf/split", file, by: { kind: "pages", pages: "1" }, name: "a" }),
    ],
    ["convert from PDF to PDF", async () => pdf, (file) => ({ engine: "pdf/repair", file })],
    [
      "merge",
      async () => pdf,
      (file) => ({ engine: "pdf/merge", file, inputs: [{ file, name: "a", format: "pdf" }] }),
    ],
    [
      "convert from an image to PDF",
      async () => png,
      (file) => ({ engine: "image/to-pdf", file, inputs: [{ file, name: "a", format: "png" }] }),
    ],
  ];

  test.each(jobs)("%s", async (_, make, jobOf) => {
    const bytes = await make();
    const file = new ReadableBlob(bytes);
    const made = await run(jobOf(file));
    expect(made).not.toBe(file);
    expect(Buffer.from(await made.arrayBuffer()).equals(bytes)).toBe(false);
  });
});

describe("the files in an archive", () => {
  const ownZone = process.env.TZ;
  afterEach(() => {
    if (ownZone === undefined) delete process.env.TZ;
    else process.env.TZ = ownZone;
  });

  /** The date in the header of the first file (APPNOTE 4.4.6), as numbers. */
  async function dateIn(archive: Blob): Promise<readonly number[]> {
    const head = new DataView(await archive.arrayBuffer());
    const [time, date] = [head.getUint16(10, true), head.getUint16(12, true)];
    return [1980 + (date >> 9), (date >> 5) & 15, date & 31, time >> 11, (time >> 5) & 63, 2 * (time & 31)];
  }

  test.each(["UTC", "Pacific/Kiritimati", "America/Los_Angeles"])(
    "of a split have the date of the input in UTC, in %s",
    async (zone) => {
      process.env.TZ = zone;
      const lastModified = Date.UTC(2024, 1, 29, 22, 30, 8);
      const file = Object.assign(new ReadableBlob(pdf), { lastModified });
      const by = { kind: "pages", pages: "1" } as const;
      const made = await run({ engine: "pdf/split", file, by, name: "a" });
      expect(await dateIn(made)).toEqual([2024, 2, 29, 22, 30, 8]);
    },
  );
});
