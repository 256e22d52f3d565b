import { protectBytes } from "../engine.ts";
import { makePng } from "../fixtures/image/png.ts";
import { docx } from "../fixtures/office/documents.ts";
import { makeOutlinedPdf } from "../fixtures/outlined-pdf.ts";
import { makePdf } from "../fixtures/pdf.ts";
import type { FormFile } from "./service-request.ts";

/** How files of these types begin. */
export const PDF = "%PDF-";
export const ZIP = "PK\x03\x04";
export const JPG = "\xff\xd8\xff";
export const PNG = "\x89PNG";

export const three: FormFile = { name: 'Prüfung "1".v2.pdf', content: makePdf({ pages: 3 }) };
export const locked: FormFile = {
  name: "locked.pdf",
  content: await protectBytes(three.content, { password: "key" }),
};
export const outlined: FormFile = {
  name: "outlined.pdf",
  content: makeOutlinedPdf(3, [
    ["(Start)", 1],
    ["(End)", 3],
  ]),
};
export const letter: FormFile = { name: "letter.docx", content: docx(["Dear reader"]) };
export const text: FormFile = { name: "report.pdf", content: new TextEncoder().encode("just text") };
export const picture: FormFile = {
  name: "picture.jpeg",
  content: makePng({
    ...{ width: 40, height: 30, colorType: 6, bitDepth: 8 },
    sample: (x, y) => [6 * x, 8 * y, 100, 255 - x],
  }),
};
export const unchosen: FormFile = { name: "", content: new Uint8Array() };
