import { manyScanJpeg } from "../fixtures/image/progressive-jpeg.ts";
import type { AttackOperation } from "./attacked-tab.ts";

/** A hostile image and what is done with it. */
export interface ImageAttack {
  readonly name: string;
  readonly operations: readonly AttackOperation[];
  input(): Uint8Array;
}

/** Images that are small files and much work. */
export const IMAGE_ATTACKS: readonly ImageAttack[] = [
  {
    name: "a progressive JPEG of 16,000 × 16,000 and 500 scans",
    operations: ["png", "jpg", "pdf"],
    input: () => manyScanJpeg({ width: 16_000, height: 16_000, scans: 500 }),
  },
];
