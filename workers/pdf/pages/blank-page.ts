import type { Turn } from "../../../src/shared/rotation.ts";
import { PdfDict, PdfName } from "../syntax/objects.ts";
import { shownSize } from "./page-size.ts";
import type { Page } from "./page-tree.ts";

/**
 * Returns an empty page that is as large as another one is shown.
 *
 * @param turn the rotation of the other page, in addition to its own
 */
export function blankPage(page: Page, turn: Turn): PdfDict {
  const { width, height } = shownSize(page);
  const declared = page.dict.number("UserUnit") ?? 1;
  const unit = declared > 0 ? declared : 1;
  const box = [width, height].map((points) => Math.round((1000 * points) / unit) / 1000);
  const blank = PdfDict.from([
    ["Type", PdfName.of("Page")],
    ["MediaBox", [0, 0, ...(turn % 180 === 0 ? box : box.toReversed())]],
    ["Resources", new PdfDict()],
  ]);
  if (unit !== 1) blank.set("UserUnit", page.dict.value("UserUnit"));
  return blank;
}
