import { readFileSync, writeFileSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { zip } from "../../workers/archive/zip.ts";
import { BlobSink } from "../../workers/io/blob-sink.ts";
import { Converter } from "../support/browsers/converter.ts";
import { protectBytes, repairBytes, splitBytes, unlockBytes } from "../support/engine.ts";
import { concatBytes, latin1, uint32s } from "../support/fixtures/image/bytes.ts";
import { displayP3, markedP3 } from "../support/fixtures/image/icc.ts";
import { jpegWith } from "../support/fixtures/image/metadata.ts";
import { makePng, pngChunks, pngProfile } from "../support/fixtures/image/png.ts";
import { catalogOf, pageOf, pdfOf } from "../support/fixtures/pdf-objects.ts";
import { largestDifference, vips, vipsShows } from "../support/native-pictures.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";
import { qpdfCheck, qpdfWrites } from "../support/oracles.ts";
import { onDisk } from "../support/pdf-files.ts";

const scratch = new Scratch();
afterAll(() => scratch.remove());

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

const noUnzip = announceMissing("dates in archives", ["unzip"]);

describe.skipIf(noUnzip.length > 0)("the dates in an archive", () => {
  const ownZone = process.env.TZ;
  afterEach(() => {
    if (ownZone === undefined) delete process.env.TZ;
    else process.env.TZ = ownZone;
  });

  /** Returns an archive that is made in a time zone, and the listing of unzip. */
  async function archiveOf(zone: string, lastModified: number) {
    process.env.TZ = zone;
    const localHour = new Date(lastModified).getHours();
    const output = new BlobSink();
    const files = (async function* () {
      yield { name: "a.pdf", content: new Uint8Array(1) };
    })();
    await zip(files, output, lastModified);
    const bytes = new Uint8Array(await output.toBlob().arrayBuffer());
    const listed = (await runTool("unzip", ["-l", onDisk(scratch, bytes, "made.zip")])).stdout.toString();
    return { localHour, bytes, listed };
  }

  test.each(["UTC", "Pacific/Kiritimati", "America/Los_Angeles", "Asia/Kolkata"])(
    "are in UTC when the time zone is %s",
    async (zone) => {
      const date = Date.UTC(2024, 1, 29, 22, 30, 8);
      const { localHour, bytes, listed } = await archiveOf(zone, date);
      expect(localHour === 22).toBe(zone === "UTC");
      expect(listed).toMatch(/\b2024-02-29 22:30\s+a\.pdf$/m);
      expect(bytes).toEqual((await archiveOf("UTC", date)).bytes);
    },
  );
});

describe("the file identifier of a PDF", () => {
  const permanent = "00112233445566778899aabbccddeeff";
  const changing = "ffeeddccbbaa99887766554433221100";
  const pdf = pdfOf([...catalogOf("3 0 R"), pageOf(3)], `/Root 1 0 R/ID[<${permanent}><${changing}>]`);

  function identifierOf(bytes: Uint8Array): readonly string[] {
    const [, one = "", other = ""] = /\/ID ?\[ ?<(\w*)> ?<(\w*)> ?\]/.exec(textOf(bytes)) ?? [];
    return [one.toLowerCase(), other.toLowerCase()];
  }

  test.each<[string, () => Promise<Uint8Array>]>([
    ["protected", () => protectBytes(pdf, { password: "key" })],
    ["unlocked", async () => unlockBytes(await protectBytes(pdf, { password: "key" }), "key")],
    ["written anew", () => repairBytes(pdf)],
    ["repaired", () => repairBytes(pdf.subarray(0, -12))],
  ])("keeps its first half and gets a new second half each time the PDF is %s", async (_, make) => {
    const [one, other] = [identifierOf(await make()), identifierOf(await make())];
    for (const [first, second] of [one, other]) {
      expect(first).toBe(permanent);
      expect(second).toMatch(/^[\da-f]{32}$/);
      expect([permanent, changing]).not.toContain(second);
    }
    expect(one[1]).not.toBe(other[1]);
  });

  test("changes again when a protected PDF is unlocked", async () => {
    const locked = await protectBytes(pdf, { password: "key" });
    expect(identifierOf(await unlockBytes(locked, "key"))[1]).not.toBe(identifierOf(locked)[1]);
  });

  test("is in none of the outputs of a split", async () => {
    for (const { bytes } of await splitBytes(pdf, { pages: "1" })) {
      expect(textOf(bytes).toLowerCase()).not.toMatch(new RegExp(`${permanent}|${changing}`));
    }
  });

  test.skipIf(announceMissing("new identifiers", ["qpdf"]).length > 0)("is valid for qpdf", async () => {
    const path = onDisk(scratch, await protectBytes(pdf, { password: "key" }));
    expect(await qpdfCheck(path, "key")).toMatchObject({ verdict: "ok", encrypted: true });
  });
});

const missing = announceMissing("what color profiles say", ["vips", "qpdf", "heif-enc"]);

describe.skipIf(missing.length > 0)("a color profile that names its maker", () => {
  const MARKS = /SECRET|mmod|dmnd|dmdd|vcgt|Priv/;
  const size = { width: 48, height: 32 };
  let converter: Converter;

  const pngOf = (icc: Uint8Array) =>
    makePng({
      ...{
        ...size,
        colorType: 2,
        bitDepth: 8,
        sample: (x: number, y: number) => [70 + 3 * x, 90 + 4 * y, 200 - x],
      },
      chunks: [["iCCP", pngProfile(icc)]],
    });

  const webpOf = (webp: Uint8Array, icc: Uint8Array) => {
    const chunk = (name: string, data: Uint8Array) =>
      concatBytes([latin1(name), uint32s(data.length).reverse(), data, new Uint8Array(data.length % 2)]);
    const coded = webp.subarray(textOf(webp.subarray(12, 16)) === "VP8X" ? 30 : 12);
    const extended = Uint8Array.of(0x20, 0, 0, 0, size.width - 1, 0, 0, size.height - 1, 0, 0);
    const body = concatBytes([latin1("WEBP"), chunk("VP8X", extended), chunk("ICCP", icc), coded]);
    return concatBytes([latin1("RIFF"), uint32s(body.length).reverse(), body]);
  };

  /** Returns the path of an image file with a given profile. */
  async function sourceOf(format: string, icc: Uint8Array): Promise<string> {
    const png = onDisk(scratch, pngOf(icc), "source.png");
    if (format === "png") return png;
    const path = scratch.path(`source.${format}`);
    if (format === "heic") {
      await runTool("heif-enc", ["-q", "90", "-o", path, png]);
    } else if (format === "jpg") {
      await vips("copy", png, `${path}[strip]`);
      writeFileSync(path, jpegWith(readFileSync(path), { icc }));
    } else {
      await vips("copy", png, `${path}[strip]`);
      writeFileSync(path, webpOf(readFileSync(path), icc));
    }
    return path;
  }

  beforeAll(async () => {
    converter = await Converter.start("chromium");
  });
  afterAll(async () => {
    await converter.close();
  });

  /** Returns all bytes of a file, with its profile and the streams of a PDF uncompressed. */
  async function contentOf(path: string): Promise<string> {
    if (path.endsWith(".pdf")) {
      const plain = scratch.path("plain.pdf");
      await qpdfWrites(["--qdf", "--object-streams=disable", path, plain]);
      return textOf(readFileSync(plain));
    }
    const bytes = new Uint8Array(readFileSync(path));
    const profile = path.endsWith(".png") ? pngChunks(bytes).get("iCCP") : undefined;
    const unpacked = profile ? inflateSync(profile.subarray(profile.indexOf(0) + 2)) : new Uint8Array();
    return textOf(bytes) + textOf(unpacked);
  }

  test.each([
    ["jpg", "jpg"],
    ["jpg", "png"],
    ["jpg", "pdf"],
    ["png", "png"],
    ["png", "webp"],
    ["png", "pdf"],
    ["webp", "webp"],
    ["webp", "png"],
    ["webp", "pdf"],
    ["heic", "png"],
    ["heic", "jpg"],
    ["heic", "pdf"],
  ])("leaves no identifying data in the output: %s to %s", async (from, output_format) => {
    const source = await sourceOf(from, markedP3("SECRET"));
    expect(await contentOf(source)).toMatch(/SECRET.*mmod.*Priv|mmod.*Priv.*SECRET/s);
    const made = await converter.convert(source, { output_format });
    expect(await contentOf(made)).not.toMatch(MARKS);
  });

  test.each([
    ["jpg", "jpg"],
    ["png", "png"],
    ["webp", "webp"],
    ["jpg", "pdf"],
    ["png", "pdf"],
  ])("stays unchanged with keep_metadata: %s to %s", async (from, output_format) => {
    const icc = markedP3("SECRET");
    const source = await sourceOf(from, icc);
    const made = await converter.convert(source, { output_format, keep_metadata: "true" });
    expect(await contentOf(made)).toContain(textOf(icc));
  });

  test.each([
    ["jpg", "jpg"],
    ["png", "png"],
    ["webp", "webp"],
  ])("gives the same colors in libvips after it is rebuilt: %s to %s", async (from, output_format) => {
    const source = await sourceOf(from, markedP3("SECRET"));
    const made = await converter.convert(source, { output_format });
    const shown = (path: string) => vipsShows(path, scratch.path("shown"));
    expect((await runTool("vipsheader", ["-f", "icc-profile-data", made])).code).toBe(0);
    expect(largestDifference(await shown(made), await shown(source))).toBe(0);
  });

  test("is equal in photos of different cameras with equal colors", async () => {
    const made = async (icc: Uint8Array) =>
      readFileSync(await converter.convert(await sourceOf("jpg", icc), { output_format: "jpg" }));
    const one = await made(markedP3("CAMERA"));
    expect(await made(markedP3("OTHER"))).toEqual(one);
    expect(await made(displayP3())).toEqual(one);
  });
});
