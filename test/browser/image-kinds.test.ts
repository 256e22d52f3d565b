import { describe, expect, test } from "vitest";
import { concatBytes } from "../support/fixtures/image/bytes.ts";
import { makeBmp } from "../support/fixtures/image/gif-and-bmp.ts";
import { makePng, pngChunk } from "../support/fixtures/image/png.ts";
import { convert, drawing, quarters, shared } from "./pictures.ts";

const SIDE = 24;
const OS2_HEADER = 64;
const PNG_SIGNATURE_BYTES = 8;

/** A JPEG that says that it is of another process, or has other samples. */
async function jpeg(process: number, precision = 8): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await drawing("image/jpeg", SIDE, SIDE, quarters);
  const frame = bytes.findIndex((byte, at) => byte === 0xff && bytes[at + 1] === 0xc0);
  bytes[frame + 1] = process;
  bytes[frame + 4] = precision;
  return bytes;
}

/** A BMP with other pixels than its header is for. */
function bmp(
  bits: number,
  compression: number,
  pixels: Uint8Array,
  headerBytes = 40,
): Uint8Array<ArrayBuffer> {
  const head = makeBmp(SIDE, SIDE, () => [255, 0, 0]).slice(0, 54);
  const bytes = concatBytes([head, new Uint8Array(headerBytes - 40), pixels]);
  const view = new DataView(bytes.buffer);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, 14 + headerBytes, true);
  view.setUint32(14, headerBytes, true);
  view.setUint16(28, bits, true);
  view.setUint32(30, compression, true);
  return bytes;
}

/** A PNG with the first chunk of Apple's variant. */
function cgbi(): Uint8Array<ArrayBuffer> {
  const plain = makePng({
    width: SIDE,
    height: SIDE,
    colorType: 6,
    bitDepth: 8,
    sample: () => [255, 0, 0, 255],
  });
  const first = pngChunk("CgBI", Uint8Array.of(0x50, 0, 0x20, 2));
  return concatBytes([plain.subarray(0, PNG_SIGNATURE_BYTES), first, plain.subarray(PNG_SIGNATURE_BYTES)]);
}

const KINDS: Readonly<Record<string, () => Promise<Uint8Array<ArrayBuffer>>>> = {
  lossless: () => jpeg(0xc3),
  hierarchical: () => jpeg(0xc5),
  "arithmetic coding": () => jpeg(0xca),
  "JPEG-LS": () => jpeg(0xf7),
  "12-bit": () => jpeg(0xc1, 12),
  "embedded JPEG": async () => bmp(0, 4, await jpeg(0xc0)),
  "embedded PNG": async () => bmp(0, 5, await drawing("image/png", SIDE, SIDE, quarters)),
  "64-bit": async () => bmp(64, 0, new Uint8Array(SIDE * SIDE * 8)),
  "Huffman 1D": async () => bmp(1, 3, new Uint8Array(SIDE * SIDE), OS2_HEADER),
  CgBI: async () => cgbi(),
};

describe("an intact picture of a kind that no decoder here reads", () => {
  test.each(Object.entries(KINDS))("%s is not called damaged", async (kind, make) => {
    const file = await make();
    for (const to of ["png", "pdf"]) {
      await expect(convert(file, to), to).rejects.toMatchObject({
        code: "unsupported_conversion",
        details: { kind },
      });
    }
    const size = { width: SIDE, height: SIDE };
    expect(await shared.inspect({ file: new Blob([file]) })).toMatchObject({ images: 1, page_sizes: [size] });
  });
});
