import { describe, expect, test } from "vitest";
import { PdfString } from "../../../../../workers/pdf/syntax/objects.ts";
import { decodeText, encodeText, pdfDocByte } from "../../../../../workers/pdf/syntax/text-string.ts";

const decoded = (...bytes: number[]) => decodeText(new PdfString(Uint8Array.from(bytes)));

describe("text strings", () => {
  test("are decoded by their byte order mark", () => {
    expect(decoded(0xfe, 0xff, 0x20, 0xac)).toBe("€");
    expect(decoded(0xff, 0xfe, 0xac, 0x20)).toBe("€");
    expect(decoded(0xef, 0xbb, 0xbf, 0xe2, 0x82, 0xac)).toBe("€");
  });

  test("are decoded without the names of languages", () => {
    expect(decodeText(encodeText("\u001ben\u001bColour, \u001bfrCA\u001bcouleur"))).toBe("Colour, couleur");
    expect(decoded(0xef, 0xbb, 0xbf, 0x1b, 0x64, 0x65, 0x1b, 0x41)).toBe("A");
    expect(decodeText(encodeText("a\u001bb"))).toBe("a\u001bb");
  });

  test("without one are in PDFDocEncoding", () => {
    expect(decoded(0xa0, 0x84, 0xfc, 0x18, 0x41)).toBe("€—ü˘A");
    expect(decoded()).toBe("");
  });

  test.each(["Plan", "Übersicht", "計画 🎉", ""])(
    "of %j are the same after encoding and decoding",
    (text) => {
      expect(decodeText(encodeText(text))).toBe(text);
    },
  );

  test("a character outside of PDFDocEncoding has no code", () => {
    expect(pdfDocByte(0x8a08)).toBeUndefined();
    expect(pdfDocByte(0x20ac)).toBe(0xa0);
  });
});
