import { afterAll, describe, expect, test } from "vitest";
import { CLEANED, type Cleaned } from "../../src/shared/protocol.ts";
import { inspectPdf } from "../../workers/pdf/inspect.ts";
import { cleanBytes, protectBytes } from "../support/engine.ts";
import { HIDDEN_PLACES } from "../support/fixtures/hidden-places/index.ts";
import { documentOf, type HiddenPlace, MARKER } from "../support/fixtures/hidden-places/place.ts";
import { contextOf } from "../support/memory-context.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";
import { onDisk } from "../support/pdf-files.ts";

const missing = announceMissing("cleaned PDFs, as native tools read them", [
  "qpdf",
  "exiftool",
  "pdfdetach",
  "mutool",
]);

describe.skipIf(missing.length > 0)("a cleaned PDF, as native tools read it", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  /** Returns the whole file with all streams decoded and no object streams. */
  async function plain(pdf: Uint8Array): Promise<string> {
    const path = onDisk(scratch, pdf);
    const check = await runTool("qpdf", ["--check", path]);
    expect(check, check.stderr).toMatchObject({ code: 0 });
    const run = await runTool("qpdf", [
      "--qdf",
      "--object-streams=disable",
      "--preserve-unreferenced",
      path,
      "-",
    ]);
    return run.stdout.toString("latin1");
  }

  const hiddenIn = async (pdf: Uint8Array) =>
    (await inspectPdf(contextOf(pdf), { hidden: true })).value.hidden;

  test.each(HIDDEN_PLACES)("loses $category: $name", async (place) => {
    const { stays = "Visible" } = place;
    const file = documentOf(place);
    const password = "key";
    expect(((await hiddenIn(file))?.[place.category] ?? 0) > 0).toBe(!place.isUnused);
    const variants = [file, documentOf(place, true), await protectBytes(file, { password })];
    for (const variant of variants) {
      const text = await plain(await cleanBytes(variant, { password }));
      expect(text).not.toContain(MARKER);
      expect(text).toContain("(Visible)");
      expect(text).toContain("/JavaScript");
      expect(text).toContain(stays);
    }
  });

  const kept = HIDDEN_PLACES.filter(({ category }) => category !== "private");
  test.each(kept)("keeps $category if asked: $name", async (place) => {
    const keep = [place.category as Cleaned];
    expect(await plain(await cleanBytes(documentOf(place), { keep }))).toContain(MARKER);
    const others = CLEANED.filter((category) => category !== place.category);
    expect(await plain(await cleanBytes(documentOf(place), { keep: others }))).not.toContain(MARKER);
  });

  test("has no metadata, files and scripts that other programs find", async () => {
    const names = [
      "document information",
      "XMP of the document",
      "an attached file",
      "a script when the document opens",
    ];
    const chosen = HIDDEN_PLACES.filter(({ name }) => names.includes(name));
    expect(chosen).toHaveLength(names.length);
    const joined = (key: "catalog" | "trailer") => chosen.map((place) => place[key] ?? "").join("");
    const objects = chosen.flatMap((place) => place.objects ?? []);
    const all: HiddenPlace = {
      name: "all",
      category: "private",
      catalog: joined("catalog"),
      trailer: joined("trailer"),
      objects,
    };
    const file = documentOf(all);
    const seen = async (pdf: Uint8Array) => {
      const path = onDisk(scratch, pdf);
      const runs = [
        await runTool("exiftool", ["-a", "-G1", path]),
        await runTool("pdfdetach", ["-list", path]),
        await runTool("mutool", ["show", path, "trailer/Root/OpenAction"]),
      ];
      return runs.map(({ stdout }) => stdout.toString());
    };
    const [metadata, files, script] = await seen(file);
    expect(metadata).toContain("Title");
    expect(files).toContain("1 embedded files");
    expect(script).toContain(MARKER);
    const [noMetadata, noFiles, noScript] = await seen(await cleanBytes(file));
    expect(noMetadata).not.toMatch(/Title|XMP|\[PDF\].*Producer/);
    expect(noFiles).toContain("0 embedded files");
    expect(noScript).toBe("null\n");
  });
});
