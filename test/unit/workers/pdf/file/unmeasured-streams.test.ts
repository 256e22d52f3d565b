import { describe, expect, it } from "vitest";
import { bufferSource } from "../../../../../workers/io/source.ts";
import { PdfDocument } from "../../../../../workers/pdf/file/document.ts";
import { latin1, latin1Bytes } from "../../../../../workers/pdf/syntax/characters.ts";

interface Attachment {
  readonly data: string;
  /** The value of `Length` and, if it is a reference to object 6, the objects of that number. */
  readonly length: string;
  readonly before?: string;
  readonly after?: string;
}

/** A document that says its name in object 5, with an attached file. Its `startxref` leads nowhere. */
function documentWith(name: string, { data, length, before = "", after = "" }: Attachment): string {
  return [
    "%PDF-1.7\n",
    "1 0 obj\n<</Type/Catalog/Pages 2 0 R/Name 5 0 R/Last 7 0 R>>\nendobj\n",
    "2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n",
    "3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>\nendobj\n",
    `5 0 obj\n(${name})\nendobj\n`,
    before,
    `4 0 obj\n<</Type/EmbeddedFile/Length ${length}>>\nstream\n${data}\nendstream\nendobj\n`,
    after,
    `7 0 obj\n(last of ${name})\nendobj\n`,
    "trailer\n<</Root 1 0 R/Size 8>>\nstartxref\n99999999\n%%EOF\n",
  ].join("");
}

const indirect = (data: string): Attachment => ({
  data,
  length: "6 0 R",
  after: `6 0 obj\n${data.length}\nendobj\n`,
});
/** A file that uses all numbers of the document around it. */
const inner = documentWith("inner", { data: "text", length: "6 0 R", after: "6 0 obj\n4\nendobj\n" });
const middle = documentWith("middle", indirect(inner));

function namesIn(text: string): unknown {
  const document = PdfDocument.open(bufferSource(latin1Bytes(text)));
  expect(document.isRebuilt).toBe(true);
  return ["Name", "Last"].map((key) => latin1(document.catalog?.string(key)?.bytes ?? new Uint8Array()));
}

describe("a damaged document with an attached, uncompressed file is the outer one", () => {
  it.each<[what: string, attachment: Attachment]>([
    ["with a Length in an object after the stream", indirect(inner)],
    [
      "with a Length in an object before the stream",
      { data: inner, length: "6 0 R", before: `6 0 obj ${inner.length} endobj\n` },
    ],
    ["of two levels", indirect(middle)],
    [
      "of two levels, with wrong lengths",
      { data: middle.replace(`${inner.length}\nendobj`, "3\nendobj"), length: "7" },
    ],
    ["with a Length that is too short", { data: inner, length: "20" }],
    ["with a Length that is too long", { data: inner, length: String(2 * inner.length) }],
    ["with a Length in an object that is missing", { data: inner.replaceAll("6 0", "8 0"), length: "6 0 R" }],
    ["with a wrong Length in an object", { data: inner, length: "6 0 R", after: "6 0 obj\n12\nendobj\n" }],
    ["without a Length", { data: inner, length: "null" }],
    ["that does not say that it ends", indirect(inner.slice(0, inner.indexOf("%%EOF")))],
    ["that is no PDF", indirect(`<html>${inner.replace("%PDF-1.7", "")}</html>`)],
  ])("%s", (_, attachment) => {
    expect(namesIn(documentWith("outer", attachment))).toEqual(["outer", "last of outer"]);
  });

  it("with several attached files, one of them cut off", () => {
    const first = indirect(inner.slice(0, -6));
    const second = `8 0 obj\n<</Length 9 0 R>>\nstream\n${inner}\nendstream\nendobj\n`;
    const after = `${first.after}${second}9 0 obj\n${inner.length}\nendobj\n`;
    expect(namesIn(documentWith("outer", { ...first, after }))).toEqual(["outer", "last of outer"]);
  });

  it("wherever its parts are in the megabytes that are read at once", () => {
    for (const attachment of [indirect(inner), { data: inner, length: "20" }]) {
      const text = documentWith("outer", attachment);
      const [start, end] = [text.indexOf("4 0 obj"), text.indexOf("7 0 obj\n(last of outer")];
      const parts = [start, text.indexOf("stream\n%PDF"), text.lastIndexOf("%%EOF", end), end - 20];
      for (const part of parts) {
        for (const cut of [1, 4, 9]) {
          const before = " ".repeat(2 ** 20 - part - cut);
          expect(namesIn(documentWith("outer", { ...attachment, before }))).toEqual([
            "outer",
            "last of outer",
          ]);
        }
      }
    }
  });
});

it.each([
  ["text", 1],
  [inner, 2],
])("scans a file again only if a stream has objects in its data (%#)", (data, scans) => {
  const text = documentWith("outer", indirect(data));
  const source = bufferSource(latin1Bytes(text));
  let count = 0;
  const read = (start: number, end: number) => {
    if (end - start >= 2 ** 20) count++;
    return source.read(start, end);
  };
  PdfDocument.open({ ...source, size: source.size, read });
  expect(count).toBe(scans);
});

it("gives a document or an error code for very many streams with very many lengths", () => {
  const before = "8 0 obj<</Length 6 0 R>>stream\n6 0 obj 4 ".repeat(200_000);
  const text = documentWith("outer", { data: "text", length: "4", before });
  expect(() => PdfDocument.open(bufferSource(latin1Bytes(text)))).toThrow(
    expect.objectContaining({ name: "ServiceError", code: "input_too_large" }),
  );
});
