import { manyScanJpeg } from "../support/fixtures/image/progressive-jpeg.ts";
import { catalogOf, pageOf, pdfOf, streamOf } from "../support/fixtures/pdf-objects.ts";
import type { Occasion } from "./attack-table.ts";
import type { AttackOperation } from "./attacked-tab.ts";

/** A hostile image and the operations on it. */
export interface ImageAttack {
  readonly name: string;
  readonly operations: readonly AttackOperation[];
  readonly runs: Occasion;
  /** The limits of this attack. Default: the limits of other attacks. */
  readonly limits?: { readonly seconds: number; readonly megabytes: number };
  input(): Uint8Array;
}

/** Small image files that cause much work. */
export const IMAGE_ATTACKS: readonly ImageAttack[] = [
  {
    name: "a progressive JPEG of 16,000 × 16,000 and 500 scans",
    operations: ["png"],
    runs: "always",
    input: hugeJpeg,
  },
  {
    name: "a progressive JPEG of 16,000 × 16,000 and 500 scans",
    operations: ["jpg", "pdf"],
    runs: "in CI",
    input: hugeJpeg,
  },
  {
    name: "a PDF that draws a progressive JPEG of 16,000 × 16,000 and 500 scans",
    operations: ["png"],
    runs: "before a release",
    // PDFium decodes the image, and Stayput ends it when a page takes 40 s, or more memory than its limit.
    limits: { seconds: 80, megabytes: 1200 },
    input: () =>
      pdfOf([
        ...catalogOf("3 0 R"),
        pageOf(3, "/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>"),
        streamOf(4, "100 0 0 100 0 0 cm /I Do"),
        {
          num: 5,
          body: "<</Type/XObject/Subtype/Image/Width 16000/Height 16000/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode>>",
          stream: Buffer.from(hugeJpeg()).toString("latin1"),
        },
      ]),
  },
];

function hugeJpeg(): Uint8Array {
  return manyScanJpeg({ width: 16_000, height: 16_000, scans: 500 });
}
