import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decodedChunks } from "../../../../../workers/pdf/file/filters.ts";
import { PdfDict, PdfName } from "../../../../../workers/pdf/syntax/objects.ts";

/** Decodes data that comes in pieces. Says how often it was read, and whether it is damaged. */
function decoded(pieces: readonly Uint8Array[], ...filters: readonly string[]) {
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
