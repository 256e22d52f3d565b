import { describe, expect, test } from "vitest";
import type { ConvertParams } from "../../src/index.ts";
import { drawnPdf, FIRST_OWN, fill } from "../support/fixtures/drawn-pdf.ts";
import { jpegWith, makeExif } from "../support/fixtures/image/metadata.ts";
import {
  blobOf,
  bytesOf,
  convert,
  drawing,
  newClient,
  pixel,
  QUARTERS,
  quarters,
  shared,
  shown,
} from "./pictures.ts";

const [RED, GREEN, BLUE, WHITE] = QUARTERS;
/** The quarters from the top left, after each rotation. */
const ROTATED = [
  [90, [BLUE, RED, WHITE, GREEN]],
  [-90, [GREEN, WHITE, RED, BLUE]],
  [180, [WHITE, BLUE, GREEN, RED]],
] as const;

/** The name of the color in the middle of each quarter, from the top left. */
function quartersOf(image: ImageData): readonly string[] {
  const [left, top] = [image.width >> 2, image.height >> 2];
  const places = [
    [left, top],
    [3 * left, top],
    [left, 3 * top],
    [3 * left, 3 * top],
  ];
  return places.map(([x = 0, y = 0]) => nameOf(pixel(image, x, y)));
}

/** Lossy formats change values a little. */
function nameOf(rgba: readonly number[]): string {
  return rgba
    .slice(0, 3)
    .map((value) => (value > 127 ? 1 : 0))
    .join("");
}

const colors = (quarters: readonly (readonly number[])[]) => quarters.map(nameOf);

async function rotated(
  bytes: Uint8Array<ArrayBuffer> | Blob,
  format: string,
  params: Partial<ConvertParams>,
) {
  const image = await shown(await convert(bytes, format, params));
  return { size: [image.width, image.height], quarters: quartersOf(image) };
}

const sizeAfter = (rotate: number) => (rotate === 180 ? [63, 32] : [32, 63]);

const picture = await drawing("image/png", 64, 32, quarters);

describe.each(ROTATED)("an image rotated by %i", (rotate, expected) => {
  test.each(["png", "jpg", "webp"])("as %s", async (format) => {
    const wanted = { size: sizeAfter(rotate), quarters: colors(expected) };
    for (const type of ["image/png", "image/jpeg"]) {
      const picture = await drawing(type, 63, 32, quarters);
      expect(await rotated(picture, format, { rotate })).toEqual(wanted);
    }
  });

  test("after its orientation", async () => {
    // The orientation 6 shows the stored pixels rotated by 90 degrees.
    const photo = jpegWith(await drawing("image/jpeg", 64, 32, quarters), { exif: makeExif(6) });
    const plain = await rotated(photo, "png", {});
    const found = await rotated(photo, "png", { rotate });
    const upright = await rotated(await convert(photo, "png"), "png", { rotate });
    expect(found).toEqual(upright);
    expect(found.quarters).not.toEqual(plain.quarters);
    expect(await rotated(photo, "jpg", { rotate, keep_metadata: true })).toEqual(found);
  });

  test("within the given size", async () => {
    const picture = await drawing("image/png", 64, 32, quarters);
    const { size } = await rotated(picture, "png", { rotate, max_width: 16 });
    expect(size).toEqual(rotate === 180 ? [16, 8] : [16, 32]);
  });

  test("in a PDF, of each orientation and of pixels that are decoded", async () => {
    for (let orientation = 1; orientation <= 8; orientation++) {
      const photo = jpegWith(await drawing("image/jpeg", 64, 32, quarters), { exif: makeExif(orientation) });
      const asImage = await rotated(photo, "png", { rotate });
      const pdf = await convert(photo, "pdf", { rotate });
      expect(await rotated(pdf, "png", { dpi: 96 })).toEqual(asImage);
    }
    const webp = await drawing("image/webp", 64, 32, quarters);
    const asImage = await rotated(webp, "png", { rotate });
    expect(await rotated(await convert(webp, "pdf", { rotate }), "png", { dpi: 96 })).toEqual(asImage);
  });

  test("with other images, as one PDF", async () => {
    const file = [1, 2].map((number) => new File([picture], `${number}.png`));
    const pdf = await blobOf(await shared.convert({ file, output_format: "pdf", rotate }));
    for (const pages of ["1", "2"])
      expect(await rotated(pdf, "png", { dpi: 96, pages })).toMatchObject({ quarters: colors(expected) });
  });

  test("is a page of a PDF as an image", async () => {
    const pdf = await convert(picture, "pdf");
    expect(await rotated(pdf, "png", { dpi: 96, rotate })).toEqual({
      size: sizeAfter(rotate).map((side) => (side === 63 ? 64 : side)),
      quarters: colors(expected),
    });
  });
});

describe("pages", () => {
  /** Three pages with an annotation on the left half each. The second one is rotated. */
  const pdf = () => {
    const note = "/Annots[<</Type/Annot/Subtype/Square/Rect[0 0 50 60]/F 4/AP<</N 1000 0 R>>>>]";
    const appearance = "<</Type/XObject/Subtype/Form/BBox[0 0 50 60]>>";
    return new File(
      [
        drawnPdf(
          ["", "/Rotate 90", ""].map((rest) => ({
            content: fill("0 1 0", 50, 0, 50, 60),
            entries: note + rest,
          })),
          { objects: [{ num: 1000, body: appearance, stream: fill("1 0 0", 0, 0, 50, 60) }] },
        ),
      ],
      "three.pdf",
    );
  };

  test("are rotated with their annotations, and inspect and renderPages see it", async () => {
    const client = newClient();
    const rotate = "180:1;90:2";
    const file = client.blob(await client.convert({ file: pdf(), output_format: "pdf", rotate }));
    const size = { width: 100, height: 60 };
    expect(await client.inspect({ file })).toMatchObject({ pages: 3, page_sizes: [size, size, size] });
    const drawn: (readonly string[])[] = [];
    for await (const { blob } of client.renderPages({ file, dpi: 72 }))
      drawn.push(quartersOf(await shown(blob)));
    const upsideDown = colors([GREEN, RED, GREEN, RED]);
    expect(drawn).toEqual([upsideDown, upsideDown, colors([RED, GREEN, RED, GREEN])]);
  });

  test("become images that are rotated as the pages are", async () => {
    const rotate = "-90:1-2";
    const pdfRotated = await blobOf(await shared.convert({ file: pdf(), output_format: "pdf", rotate }));
    for (const pages of ["1", "2", "3"]) {
      const drawnRotated = await rotated(pdf(), "png", { dpi: 72, pages, rotate });
      expect(drawnRotated).toEqual(await rotated(pdfRotated, "png", { dpi: 72, pages }));
    }
  });

  test("and images are rotated in a merge", async () => {
    const client = newClient();
    const photo = new File([picture], "photo.png");
    const file = client.blob(
      await client.mergePdf({ file: [pdf(), photo, photo], rotate: ["180:1", 90, ""] }),
    );
    const drawn: (readonly string[])[] = [];
    for await (const { blob } of client.renderPages({ file, pages: "1,4-5", dpi: 96 }))
      drawn.push(quartersOf(await shown(blob)));
    expect(drawn).toEqual([
      colors([GREEN, RED, GREEN, RED]),
      colors([BLUE, RED, WHITE, GREEN]),
      colors(QUARTERS),
    ]);
  });
});

test.each([
  [{ output_format: "txt", rotate: 90 }, "has no effect when a PDF becomes text"],
  [{ output_format: "pdf", rotate: "45" }, "must be 90, -90 or 180"],
])("%j is refused", async (params, message) => {
  const file = new Blob([drawnPdf([{ content: "" }])]);
  const wrong = shared.convert({ file, ...params } as ConvertParams);
  await expect(wrong).rejects.toMatchObject({ code: "invalid_parameter", details: { parameter: "rotate" } });
  await expect(wrong).rejects.toThrow(message);
});

test("page numbers of several images that become one PDF are refused", async () => {
  const file = [new Blob([picture]), new Blob([picture])];
  const wrong = shared.convert({ file, output_format: "pdf", rotate: "90:1" });
  await expect(wrong).rejects.toMatchObject({ code: "invalid_parameter", details: { parameter: "rotate" } });
});

describe("an annotation that does not rotate with its page", () => {
  // A stamp of 40 × 20 points, and one that rotates.
  const stamps = [20, 4].map(
    (flags, index) =>
      `<</Type/Annot/Subtype/Stamp/F ${flags}/Rect[${60 * index + 30} 30 ${60 * index + 70} 50]/AP<</N ${FIRST_OWN} 0 R>>>>`,
  );
  const entries = "/Type/XObject/Subtype/Form/BBox[0 0 40 20]";
  const look = {
    num: FIRST_OWN,
    body: `<<${entries}>>`,
    stream: "1 0 0 rg 0 0 40 20 re f 0 0 1 rg 0 10 10 10 re f",
  };
  const page = {
    content: fill("0 1 0", 0, 0, 200, 20),
    entries: `/MediaBox[0 0 200 100]/Annots[${stamps.join("")}]`,
  };
  const pdf = drawnPdf([page], { objects: [look] });

  test.each([90, -90, 180] as const)("stays upright in a picture rotated by %i", async (rotate) => {
    const picture = await convert(pdf, "png", { dpi: 72, rotate });
    const page = await convert(pdf, "pdf", { rotate });
    expect(await bytesOf(picture)).toEqual(await bytesOf(await convert(page, "png", { dpi: 72 })));
    const image = await shown(picture);
    const reds = Array.from({ length: image.height }, (_, y) =>
      Array.from({ length: image.width }, (_, x) => nameOf(pixel(image, x, y))).join(" "),
    ).filter((row) => row.includes(`${"100 ".repeat(38)}100`));
    // Rotated by 180 degrees, both stamps are as wide as before.
    expect(reds.length).toBeGreaterThanOrEqual(10);
  });
});
