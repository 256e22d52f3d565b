import { expect, test } from "vitest";
import { StreamRecoder } from "../../workers/compress/recode-streams.ts";
import { bufferSource } from "../../workers/io/source.ts";
import { PdfDocument } from "../../workers/pdf/file/document.ts";
import { PdfDict, PdfName, PdfStream } from "../../workers/pdf/syntax/objects.ts";
import { catalogOf, pageOf, pdfOf } from "../support/fixtures/pdf-objects.ts";

/** A stream whose data is written by the filters named, in the order of decoding. */
function streamOf(bytes: Uint8Array, ...filters: readonly string[]): PdfStream {
  return new PdfStream(PdfDict.from([["Filter", filters.map(PdfName.of)]]), { kind: "memory", bytes });
}

const recoder = () =>
  new StreamRecoder(PdfDocument.open(bufferSource(pdfOf([...catalogOf("3 0 R"), pageOf(3)]))));

/** Whether a stream is written again. */
const isRecoded = (stream: PdfStream) => recoder().deflated(stream) !== stream;

const MB = 1024 * 1024;

test.each([
  [16, true],
  [272, false],
])("a stream that unpacks to %i MB between two filters is written again: %s", (size, expected) => {
  // Runs of 128 spaces, which are no digits.
  const spaces = Buffer.alloc(size * MB * (2 / 128), Uint8Array.of(129, 0x20));
  const digits = Uint8Array.of(2, 0x34, 0x31, 0x3e, 128);
  const stream = streamOf(Buffer.concat([spaces, digits]), "RunLengthDecode", "ASCIIHexDecode");
  expect(isRecoded(stream)).toBe(expected);
});
