import { beforeEach, expect, test, vi } from "vitest";
import { decodeTile, type TileRequest } from "../../../../../../workers/image/formats/heic/decode-tile.ts";

/** The decoders that were made, and what the next call of one does. */
const engine = vi.hoisted(() => ({ made: 0, used: [] as number[], decode: () => {} }));

vi.mock("../../../../../../workers/wasm/wasm-module.ts", () => ({ wasmModule: async () => ({}) }));
vi.mock("../../../../../../workers/image/formats/heic/coding.ts", () => ({ nalUnitsOf: async () => [] }));
vi.mock("../../../../../../workers/codecs/hevc/index.ts", () => ({
  UnsupportedBitstream: class extends Error {},
  readPicture: () => ({ size: { width: 16, height: 16 } }),
  HevcDecoder: class {
    readonly number = engine.made++;

    decode(): void {
      engine.used.push(this.number);
      engine.decode();
    }
  },
}));

beforeEach(() => {
  Object.assign(engine, { made: 0, used: [], decode: () => {} });
});

function request(): TileRequest {
  const tile = { width: 16, height: 16 } as TileRequest["tiles"][number];
  const color = { fullRange: true, matrix: 6 } as TileRequest["color"];
  return { file: new Blob(), tiles: [tile, tile, tile], color, orientation: 1 };
}

test("the tiles of a picture share a decoder, and another picture gets another one", async () => {
  const [one, other] = [request(), request()];
  for (const index of [0, 1]) expect(await decodeTile(one, index)).toMatchObject({ width: 16, height: 16 });
  expect(await decodeTile(other, 0)).toBeDefined();
  expect(engine.used).toEqual([0, 0, 1]);
});

test.each([
  ["traps", new WebAssembly.RuntimeError("unreachable")],
  ["fills the stack", new RangeError("Maximum call stack size exceeded")],
])("a decoder that %s is not used again, and its tile is left to libheif", async (_, thrown) => {
  const picture = request();
  engine.decode = () => {
    throw thrown;
  };
  expect(await decodeTile(picture, 0)).toBeUndefined();
  engine.decode = () => {};
  expect(await decodeTile(picture, 1)).toBeDefined();
  expect(engine.used).toEqual([0, 1]);
});
