import { afterAll, describe, expect, test } from "vitest";
import type { Row } from "../corpus/family.ts";
import { examineFeatures, FEATURES, OTHER_PAGES, UNUSED_RESOURCES } from "../corpus/split/cases.ts";
import { NativeQpdf, OurEngine } from "../corpus/split/contestant.ts";
import { DescribedDocument } from "../corpus/split/described-document.ts";
import { PagesOf } from "../corpus/split/feature.ts";
import { protectBytes, repairBytes, splitBytes, unlockBytes } from "../support/engine.ts";
import { makeFeaturedPdf } from "../support/fixtures/featured-pdf.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import {
  popplerDestinations,
  popplerTags,
  popplerText,
  qpdfCheck,
  qpdfEncrypt,
  qpdfPages,
  qpdfRewrite,
} from "../support/oracles.ts";
import { fromDisk, onDisk } from "../support/pdf-files.ts";

/** What native qpdf must find in the document of pages 2 and 3, by feature. */
const FOUND: Readonly<Record<string, readonly string[]>> = {
  tags: [
    "page 0 content 0 in /Document/Chapter/P, and back",
    "page 1 content 0 in /Document/Chapter/H1, and back",
    "/Document/Chapter/H1 /Alt u:spoken",
    "page 0 object [/Link [0 0 20 9]] in /Document/Chapter/Link",
  ],
  "role map": ["/Chapter is /Sect"],
  "form fields": [
    "page 0 person.name = u:Ada  /Tx 0 Your name Your name 1 [] u:nobody",
    "page 0 signature = unsigned  /Sig 0 signature signature 0 [] null",
    "page 1 color = u:green  /Ch 0 color color 0 [red green] null",
    "page 1 pick = /b /b /Btn 32768 pick pick 0 [] /a",
  ],
  "form defaults": ["/DA u:/F1 9 Tf 0 g", "/NeedAppearances true", "font /F1 /Helvetica"],
  "calculation order": ["person.name"],
  "page labels": ["u: /r 2", "u:A- /D 1"],
  outlines: ["0 One (closed) → nowhere", "1 One A → page 0", "0 Web (open) → nowhere", "1 Two → page 1"],
  "named destinations": [
    "/middle → page 1 <</D [page 1 /XYZ 0 100 0]>>",
    "u:section → page 0 [page 0 /FitH 9]",
  ],
  links: [
    "page 0 [0 0 20 9] → page 1",
    "page 0 [0 0 21 9] → nowhere",
    "page 0 [0 0 22 9] → page 0",
    "page 0 [0 0 23 9] → nowhere",
    "page 0 [0 0 24 9] → <</S /URI /URI u:https://example.com/>>",
    "page 1 [0 0 25 9] → page 0",
  ],
  layers: ["u:Hidden hidden", "u:Shown shown", "0 u:Hidden", "1 u:Shown"],
  annotations: [
    "page 1 /Text [9 9 29 29] u:question null null null null null null null null 3 -1",
    "page 1 /Text [9 9 29 29] u:answer null null null null null null null null -1 1",
    "page 1 /Popup [50 50 90 90] null null null null null null null null null -1 -1",
  ],
  language: ["u:en-GB"],
  "viewer preferences": ["<</Direction /R2L /DisplayDocTitle true>>"],
  "page layout": ["/TwoColumnLeft"],
  "title and author": ["/Title u:Featured", "/Author u:Someone"],
  "document scripts": [],
  attachments: [],
  "signature values": [],
  "article threads": [],
};
/** Features that must equal those of the whole document. */
const AS_BEFORE = ["output intents", "XMP metadata"];

const missing = announceMissing("what a split keeps of each feature", ["qpdf", "pdftotext", "pdfinfo"]);

describe.skipIf(missing.length > 0)("two of four pages", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());
  const input = onDisk(scratch, makeFeaturedPdf());

  const variants: Readonly<Record<string, () => Promise<string>>> = {
    "as written": async () => input,
    "in object streams": async () => {
      const path = scratch.path("packed.pdf");
      await qpdfRewrite(input, path, ["--object-streams=generate"]);
      return path;
    },
    encrypted: async () => {
      const path = scratch.path("encrypted.pdf");
      await qpdfEncrypt(input, path, { user: "", owner: "owner" });
      return path;
    },
  };

  async function takenFrom(path: string, pages: string): Promise<string> {
    const [file] = await splitBytes(fromDisk(path), { pages });
    return onDisk(scratch, file?.bytes ?? new Uint8Array());
  }

  describe.each(Object.keys(variants))("of a document %s", (variant) => {
    test.concurrent("keep each feature, as native qpdf reads them", async () => {
      const path = (await variants[variant]?.()) ?? "";
      const output = await takenFrom(path, "2-3");
      expect(await qpdfCheck(output)).toMatchObject({ verdict: "ok", encrypted: false, pageCount: 2 });
      const [source, found] = [await DescribedDocument.read(path, ""), await DescribedDocument.read(output)];
      const said = Object.fromEntries(
        FEATURES.map((feature) => [feature.name, feature.facts(new PagesOf(found))]),
      );
      const before = FEATURES.filter(({ name }) => AS_BEFORE.includes(name)).map(
        (feature) => [feature.name, feature.facts(new PagesOf(source, [1, 2]))] as const,
      );
      expect(before.map(([, facts]) => facts.length)).toEqual([1, 1]);
      expect(said).toEqual({ ...FOUND, ...Object.fromEntries(before) });
    });

    test.concurrent("keep text, tags and named destinations for poppler", async () => {
      const path = (await variants[variant]?.()) ?? "";
      const output = await takenFrom(path, "2-3");
      const native = scratch.path("native.pdf");
      await qpdfPages(path, native, "2-3", "");
      expect(await popplerText(output)).toEqual(await popplerText(native));
      // The layer of page 3 stays hidden.
      expect((await popplerText(output)).toString()).not.toContain("layer of page 3");
      expect(await popplerTags(output)).toEqual([
        "Document",
        "Sect",
        "P (block)",
        '"text of page 2"',
        "H1 (block)",
        '"text of page 3"',
        "Link (inline)",
        expect.stringMatching(/^Object \d+ 0$/),
      ]);
      const destinations = await popplerDestinations(output);
      expect(destinations).toEqual(["1 [ FitH 9 ] section", "2 [ XYZ 0 100 null ] middle"]);
    });
  });

  test("in reverse order have labels, links and names in that order", async () => {
    const output = await DescribedDocument.read(await takenFrom(input, "3-2"));
    const said = (name: string) =>
      FEATURES.find((feature) => feature.name === name)?.facts(new PagesOf(output));
    expect(said("page labels")).toEqual(["u:A- /D 1", "u: /r 2"]);
    expect(said("outlines")).toEqual([
      "0 One (closed) → nowhere",
      "1 One A → page 1",
      "0 Web (open) → nowhere",
      "1 Two → page 0",
    ]);
    expect(said("links")).toContain("page 0 [0 0 25 9] → page 1");
  });
});

describe.skipIf(missing.length > 0)("uncompressed streams", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());
  const input = makeFeaturedPdf();

  /** The kinds of long streams that are not compressed. */
  async function plainStreams(bytes: Uint8Array, password?: string): Promise<readonly string[]> {
    const document = await DescribedDocument.read(onDisk(scratch, bytes), password, "left out");
    return [...document.streams()].flatMap(([, { dict }]) => {
      const isShort = Number(document.resolve(dict["/Length"])) < 512;
      return dict["/Filter"] !== undefined || isShort ? [] : [String(dict["/Type"] ?? "data")];
    });
  }

  test("are compressed by split and repair, except metadata", async () => {
    const [file] = await splitBytes(input, { pages: "1-4" });
    expect(await plainStreams(file?.bytes ?? new Uint8Array())).toEqual(["/Metadata"]);
    const repaired = await repairBytes(input);
    expect(await plainStreams(repaired)).toEqual(["/Metadata"]);
    expect(repaired.length).toBeLessThan(input.length);
  });

  test("of an encrypted document are compressed after decryption", async () => {
    const locked = await protectBytes(input, { password: "secret" });
    const [file] = await splitBytes(locked, { pages: "1-4", password: "secret" });
    const output = onDisk(scratch, file?.bytes ?? new Uint8Array());
    expect(await plainStreams(fromDisk(output))).toEqual(["/Metadata"]);
    expect(await popplerText(output)).toEqual(await popplerText(onDisk(scratch, input)));
  });

  test("are not changed by protect and unlock", async () => {
    const before = await plainStreams(input);
    const locked = await protectBytes(input, { password: "secret" });
    expect(await plainStreams(locked, "secret")).toEqual(before);
    expect(await plainStreams(await unlockBytes(locked, "secret"))).toEqual(before);
    expect(before.length).toBeGreaterThan(4);
  });

  test("make no page with shared resources larger than native qpdf's page", async () => {
    const path = onDisk(scratch, input);
    for (const page of [1, 2, 3, 4]) {
      const native = scratch.path("native.pdf");
      await qpdfPages(path, native, `${page}`, undefined, ["--remove-unreferenced-resources=yes"]);
      const [file] = await splitBytes(input, { pages: `${page}` });
      expect(file?.bytes.length).toBeLessThan(fromDisk(native).length);
    }
  });
});

describe.skipIf(missing.length > 0)("the corpus's check of features", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());

  test("accepts our output and reports what native qpdf loses", async () => {
    const path = onDisk(scratch, makeFeaturedPdf());
    const entry = {
      file: path,
      bytes: 0,
      encrypted: false,
      password: undefined,
      qpdfCheck: "ok",
      qpdfPages: 4,
      nativeOpens: undefined,
    } as const;
    const rows: Row[] = [];
    const contestants = [new OurEngine(), new NativeQpdf()];
    await examineFeatures(
      { entry, path, password: undefined, scratch, onRow: (row) => rows.push(row) },
      contestants,
    );
    await Promise.all(contestants.map((contestant) => contestant.close()));
    const missedBy = (subject: string) =>
      rows.filter((row) => row.subject === subject && !row.passed).map((row) => row.operation);
    expect(rows.filter((row) => row.subject === "ours")).toHaveLength(FEATURES.length + 2);
    expect(missedBy("ours")).toEqual([]);
    expect(missedBy("qpdf")).toEqual(
      expect.arrayContaining(["outlines", "named destinations", "links", "attachments", "signature values"]),
    );
    expect(rows.map((row) => row.operation)).toEqual(expect.arrayContaining([UNUSED_RESOURCES, OTHER_PAGES]));
  });
});
