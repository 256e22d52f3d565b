import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import JSZip from "jszip";
import { afterAll, describe, expect, test } from "vitest";
import { runJob } from "../../workers/engines.ts";
import { splitBytes } from "../support/engine.ts";
import { makeMarkedPdf } from "../support/fixtures/pdf-marked.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { popplerText, qpdfCheck, unzipInto, unzipNames, unzipTest } from "../support/oracles.ts";
import { fromDisk, onDisk } from "../support/pdf-files.ts";
import { CountingReader, ReadableBlob } from "../support/readable-blob.ts";

const missing = announceMissing("opening the archive of a split", ["qpdf", "pdftotext", "unzip"]);

describe.skipIf(missing.length > 0)("the archive that the worker makes of a split", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  async function archiveOf(pages: string, name: string): Promise<Uint8Array> {
    const file = new ReadableBlob(makeMarkedPdf());
    const job = { engine: "pdf/split", file, by: { kind: "pages", pages }, name } as const;
    const archive = await runJob(job, { reader: new CountingReader(), helpers: 0 });
    expect(archive.type).toBe("application/zip");
    return new Uint8Array(await archive.arrayBuffer());
  }

  test("passes unzip -t and holds the selected pages", async () => {
    const path = onDisk(scratch, await archiveOf("1,3-5,last", "Jahresbericht für Łódź"), "split.zip");
    await unzipTest(path);
    const names = await unzipNames(path);
    expect(names).toEqual([
      "Jahresbericht für Łódź-1.pdf",
      "Jahresbericht für Łódź-3-5.pdf",
      "Jahresbericht für Łódź-6.pdf",
    ]);
    const directory = scratch.path("unpacked");
    mkdirSync(directory);
    await unzipInto(path, directory);
    for (const [index, marks] of [["P01E"], ["P03E", "P04E", "P05E"], ["P06E"]].entries()) {
      const pdf = join(directory, names[index] ?? "");
      expect(await qpdfCheck(pdf)).toMatchObject({ verdict: "ok", pageCount: marks.length });
      const text = (await popplerText(pdf)).toString();
      expect(text.match(/(?<=MARKtext)P\d\dE/g)).toEqual(marks);
    }
  });

  test.each(["y".repeat(251), "報".repeat(84), `${"z".repeat(240)}👩‍🚀👩‍🚀`, "re\u202efdp\u202c"])(
    "is unpacked by unzip whatever the name of the document: %j",
    async (name) => {
      const path = onDisk(scratch, await archiveOf("1,2", name), "long.zip");
      const directory = scratch.path("long");
      mkdirSync(directory);
      await unzipInto(path, directory);
      const names = readdirSync(directory).sort();
      expect(names).toEqual([...(await unzipNames(path))].sort());
      expect(names).toHaveLength(2);
      for (const [index, entry] of names.entries()) {
        expect(entry).toMatch(new RegExp(`^\\P{Bidi_Control}+-${index + 1}\\.pdf$`, "u"));
        expect(Buffer.byteLength(entry)).toBeLessThanOrEqual(255);
        expect(await qpdfCheck(join(directory, entry))).toMatchObject({ verdict: "ok", pageCount: 1 });
      }
    },
  );

  test("opens in jszip and holds the engine's files byte for byte", async () => {
    const archive = await JSZip.loadAsync(await archiveOf("odd,2", "report"), { checkCRC32: true });
    const files = await splitBytes(makeMarkedPdf(), { pages: "odd,2", name: "report" });
    expect(Object.keys(archive.files)).toEqual(files.map(({ name }) => name));
    for (const { name, bytes } of files) {
      const path = onDisk(scratch, (await archive.file(name)?.async("uint8array")) ?? new Uint8Array());
      expect(fromDisk(path)).toEqual(bytes);
    }
  });
});
