import { beforeEach, expect, test, vi } from "vitest";

/** How often libheif was made, how often a file was opened in it, what it says then (0 if all is well), and its end. */
const engine = vi.hoisted(() => ({ made: 0, opened: 0, code: 0, decode: (): number => 0 }));

vi.mock("../../../../../../workers/wasm/wasm-module.ts", () => ({ wasmModule: async () => ({}) }));
vi.mock("../../../../../../workers/image/formats/heic/wasm/libheif.ts", () => ({
  createLibheif: async () => {
    engine.made++;
    const HEAPU8 = new Uint8Array(4096);
    return {
      HEAPU8,
      _malloc: () => 1024,
      _heif_context_alloc: () => 1,
      _heif_context_get_security_limits: () => 2048,
      _heif_context_read_from_memory_without_copy: (room: number) => {
        engine.opened++;
        new DataView(HEAPU8.buffer).setUint32(room, engine.code, true);
      },
      _heif_context_get_track: () => engine.decode(),
    };
  },
}));

beforeEach(() => {
  vi.resetModules();
  Object.assign(engine, { made: 0, opened: 0, code: 0, decode: () => 0 });
});

/** Returns the code of the error of decoding a picture. */
async function failure(bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  const { decodeWithLibheif } = await import("../../../../../../workers/image/formats/heic/libheif.ts");
  return decodeWithLibheif(bytes, { item: undefined, hasAlpha: false }).catch(
    (thrown: unknown) => (thrown as { code?: string }).code,
  );
}

test.each([
  ["decodes each picture of a file with an instance of its own", 0, 2],
  ["opens an unreadable file once for all of its pictures", 2, 1],
])("%s", async (_, code, instances) => {
  engine.code = code;
  const bytes = new Uint8Array(8);
  expect([await failure(bytes), await failure(bytes)]).toEqual(["damaged_file", "damaged_file"]);
  expect(engine).toMatchObject({ made: instances, opened: instances });
});

test.each([
  ["damaged_file", new WebAssembly.RuntimeError("unreachable")],
  ["damaged_file", new WebAssembly.RuntimeError("memory access out of bounds")],
  ["out_of_memory", new Error("Aborted(OOM)")],
] as const)("returns %s when libheif throws %s", async (code, thrown) => {
  engine.decode = () => {
    throw thrown;
  };
  expect(await failure(new Uint8Array(8))).toBe(code);
});
