import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import type { FormatId } from "../../src/shared/formats.ts";
import { inspectImage } from "../../workers/image/inspect.ts";
import { inspectPdf } from "../../workers/pdf/inspect.ts";
import { makeFeaturedPdf } from "../support/fixtures/featured-pdf.ts";
import { jpegWith, makeExif, webpWithExif } from "../support/fixtures/image/metadata.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makeMarkedPdf } from "../support/fixtures/pdf-marked.ts";
import { contextOf } from "../support/memory-context.ts";
import { differenceOf, inspectNatively } from "../support/native-inspection.ts";
import { vips } from "../support/native-pictures.ts";
import { announceMissing, runTool, Scratch } from "../support/native-tools.ts";
import { mustRun, NATIVE_SCHEMES, type NativeScheme, qpdfRewrite } from "../support/oracles.ts";
import { fromDisk, onDisk } from "../support/pdf-files.ts";
import { AVIF_TRANSFORMS, makeAvif } from "./made-avif.ts";

const missingForPdf = announceMissing("inspecting PDFs", ["qpdf", "pdfinfo", "mutool"]);
const missingForImages = announceMissing("inspecting images", ["vips", "vipsheader", "heif-enc"]);

/** Restrictions in qpdf's words: in revision 2, and later. */
const RESTRICTIONS = {
  "40": [["--print=n"], ["--modify=n"], ["--annotate=n"], ["--extract=n"]],
  later: [["--print=none"], ["--print=low"], ["--modify=none"], ["--modify=form"], ["--extract=n"]],
} as const;

describe
  .skipIf(missingForPdf.length > 0)
  .concurrent("what inspect finds in a PDF is what native tools find", () => {
    const scratch = new Scratch();
    afterAll(() => scratch.remove());

    async function findings(path: string, password?: string) {
      const found = await inspectPdf(contextOf(fromDisk(path)), { password, outline: true });
      return {
        found: found.value,
        difference: differenceOf(found.value, await inspectNatively(path, password)),
      };
    }

    test.each([
      ["with all features", makeFeaturedPdf],
      ["with marks", makeMarkedPdf],
    ])("%s, as written and in object streams", async (_, make) => {
      const written = onDisk(scratch, make());
      const packed = scratch.path("packed.pdf");
      await qpdfRewrite(written, packed, ["--object-streams=generate"]);
      for (const path of [written, packed]) expect((await findings(path)).difference).toBe("");
    });

    const schemes = Object.keys(NATIVE_SCHEMES) as NativeScheme[];
    test.each(schemes)("encrypted with %s, for each restriction", async (scheme) => {
      const input = onDisk(scratch, makeMarkedPdf());
      const kind = NATIVE_SCHEMES[scheme][0] === "40" ? "40" : "later";
      const cases = [
        ["", []],
        ["user", []],
        ...RESTRICTIONS[kind].map((one) => ["user", one] as const),
      ] as const;
      for (const [user, restriction] of cases) {
        const path = scratch.path("locked.pdf");
        const encryption = ["--encrypt", user, "owner", ...NATIVE_SCHEMES[scheme], ...restriction, "--"];
        await mustRun("qpdf", ["--allow-weak-crypto", ...encryption, input, path]);
        const { found, difference } = await findings(path, user || undefined);
        expect(difference, restriction.join()).toBe("");
        expect(found.opens_with_empty_password).toBe(user === "");
      }
    });
  });

describe
  .skipIf(missingForImages.length > 0)
  .concurrent("what inspect finds in an image is what libvips shows", () => {
    const scratch = new Scratch();
    afterAll(() => scratch.remove());

    async function sizeOf(format: FormatId, bytes: Uint8Array<ArrayBuffer>) {
      const { value } = await inspectImage({ file: new Blob([bytes]) }, { from: format });
      expect(value).toMatchObject({ format, size: bytes.length, images: 1 });
      return value.page_sizes?.[0];
    }

    /** The size in which libvips shows an image. */
    async function nativeSize(path: string) {
      const upright = scratch.path("upright.v");
      await vips("autorot", path, upright);
      const field = async (name: string) =>
        Number((await mustRun("vipsheader", ["-f", name, upright])).toString());
      return { width: await field("width"), height: await field("height") };
    }

    /** Writes a picture of 48 × 32 as PNG. */
    const pngOnDisk = () =>
      onDisk(
        scratch,
        makePng({ width: 48, height: 32, colorType: 2, bitDepth: 8, sample: (x, y) => [x * 5, y * 7, 90] }),
        "plain.png",
      );

    /** The picture, coded by libvips. */
    async function coded(extension: string): Promise<Uint8Array<ArrayBuffer>> {
      const path = scratch.path(`coded.${extension}`);
      await vips("copy", pngOnDisk(), path);
      return new Uint8Array(readFileSync(path));
    }

    test.each(["jpg", "png", "webp", "gif"] as const)("%s", async (format) => {
      const bytes = await coded(format);
      expect(await sizeOf(format, bytes)).toEqual(await nativeSize(onDisk(scratch, bytes, `a.${format}`)));
    });

    test.each([1, 2, 3, 4, 5, 6, 7, 8])("JPEG and WebP with the orientation %i", async (orientation) => {
      const exif = makeExif(orientation);
      const turned = {
        jpg: jpegWith(await coded("jpg"), { exif }),
        webp: webpWithExif(await coded("webp"), exif, 48, 32),
      };
      for (const format of ["jpg", "webp"] as const) {
        const bytes = turned[format];
        expect(await sizeOf(format, bytes)).toEqual(await nativeSize(onDisk(scratch, bytes, `a.${format}`)));
      }
    });

    test.each(Object.entries(AVIF_TRANSFORMS))("AVIF %s", async (_, transforms) => {
      const bytes = await makeAvif(scratch, pngOnDisk(), transforms);
      expect(await sizeOf("avif", bytes)).toEqual(await nativeSize(onDisk(scratch, bytes, "a.avif")));
    });

    test("HEIC", async () => {
      const path = scratch.path("coded.heic");
      expect((await runTool("heif-enc", ["-o", path, pngOnDisk()])).code).toBe(0);
      expect(await sizeOf("heic", new Uint8Array(readFileSync(path)))).toEqual({ width: 48, height: 32 });
    });
  });
