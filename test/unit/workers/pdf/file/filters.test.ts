import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decodedChunks } from "../../../../../workers/pdf/file/filters.ts";
import { PdfDict, PdfName } from "../../../../../workers/pdf/syntax/objects.ts";

/** Decodes data that comes in pieces. Says how often it was read, and whether it is damaged. */
function decoded(pieces: Iterable<Uint8Array>, ...filters: readonly string[]) {
  const dict = PdfDict.from([["Filter", filters.map(PdfName.of)]]);
  let reads = 0;
  let isDamaged = false;
  const input = () => {
    reads++;
    return pieces;
  };
  const onDamage = () => {
    isDamaged = true;
  };
  const data = Buffer.concat([...decodedChunks(input, dict, { charge: () => {} }, onDamage)]);
  return { text: data.toString("latin1"), reads, isDamaged };
}

const piecesOf = (data: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(data.length / size) }, (_, index) =>
    data.subarray(size * index, size * (index + 1)),
  );

describe("the checksum of deflated data", () => {
  const small = Buffer.from("0 0 m 10 10 l S ".repeat(20));
  // Longer data is read once more: first up to the length that is inflated at once.
  const large = randomBytes(300_000);

  test.each([
    [small, 1, 1],
    [small, 7, 1],
    [large, 1000, 2],
    [large, 400_000, 2],
  ])("is found without reading the data again, case %#", (data, size, reads) => {
    const deflated = deflateSync(data);
    const text = data.toString("latin1");
    expect(decoded(piecesOf(deflated, size), "FlateDecode")).toEqual({ text, reads, isDamaged: false });
    const withLineEnd = Buffer.concat([deflated, Buffer.from("\r\n")]);
    expect(decoded(piecesOf(withLineEnd, size), "FlateDecode")).toMatchObject({ isDamaged: false });
    deflated[deflated.length - 1] = (deflated.at(-1) ?? 0) ^ 1;
    expect(decoded(piecesOf(deflated, size), "FlateDecode")).toEqual({ text, reads, isDamaged: true });
  });
});

describe("after the end of deflated data", () => {
  const PIECE = 8192;
  const data = randomBytes(200_000);
  const text = data.toString("latin1");

  test.each([100, 1000])("a tail of %i pieces is not read to its end", (length) => {
    let read = 0;
    const pieces = {
      *[Symbol.iterator]() {
        yield deflateSync(data);
        for (let at = 0; at < length; at++, read++) yield new Uint8Array(PIECE);
      },
    };
    expect(decoded(pieces, "FlateDecode")).toMatchObject({ text, isDamaged: true });
    expect(read).toBeLessThan(32);
  });

  test("stored blocks, which are held back up to their end, are not mistaken for a tail", () => {
    const stored = deflateSync(data, { level: 0 });
    for (const size of [stored.length, PIECE, 100])
      expect(decoded(piecesOf(stored, size), "FlateDecode")).toMatchObject({ text, isDamaged: false });
  });
});

test.each([
  ["ASCIIHexDecode", "41 4\n2\0>", false],
  ["ASCIIHexDecode", "41 4\n2", false],
  ["ASCIIHexDecode", "41 4x2>", true],
  ["ASCII85Decode", "5s \r\nd~>", false],
  ["ASCII85Decode", "5s \x80d~>", true],
  ["ASCII85Decode", "5szd~>", true],
])("%s of %j is damaged: %s", (filter, encoded, isDamaged) => {
  expect(decoded([Buffer.from(encoded, "latin1")], filter)).toMatchObject({ text: "AB", isDamaged });
});
