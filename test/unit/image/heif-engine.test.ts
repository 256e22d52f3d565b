import { beforeEach, expect, test, vi } from "vitest";
import type { ErrorCode } from "../../../src/errors.ts";

/** How often libheif was made, how often a file was opened in it, and what it says then: a code, 0 if all is well. */
const engine = vi.hoisted(() => ({ made: 0, opened: 0, code: 0 }));

vi.mock("../../../workers/image/wasm-module.ts", () => ({ wasmModule: async () => ({}) }));
vi.mock("../../../workers/image/wasm/libheif.ts", () => ({
  createLibheif: () => {
    engine.made++;
    const HEAPU8 = new Uint8Array(4096);
    const nothing = () => {};
    return {
      HEAPU8,
      _malloc: () => 1024,
      _free: nothing,
      _heif_context_alloc: () => 1,
      _heif_context_free: nothing,
      _heif_context_get_security_limits: () => 2048,
      _heif_context_read_from_memory_without_copy: (room: number) => {
        engine.opened++;
        new DataView(HEAPU8.buffer).setUint32(room, engine.code, true);
      },
    };
  },
}));

beforeEach(() => {
  vi.resetModules();
  Object.assign(engine, { made: 0, opened: 0, code: 0 });
});

/** What comes of a use of a file in which something is thrown: an error of that code, or a trap. */
async function use(bytes: Uint8Array<ArrayBuffer>, thrown?: ErrorCode | "trap"): Promise<string> {
  const { withLibheif } = await import("../../../workers/image/heif/libheif.ts");
  const { ServiceError } = await import("../../../src/errors.ts");
  try {
    return await withLibheif(bytes, () => {
      if (thrown === "trap") throw new WebAssembly.RuntimeError("unreachable");
      if (thrown) throw new ServiceError(thrown, "It failed.");
      return "done";
    });
  } catch (caught) {
    return String((caught as { code?: string }).code);
  }
}

const file = () => new Uint8Array(8);

test("one engine serves all pictures of a file, damaged ones too, and no other file", async () => {
  const bytes = file();
  expect(await use(bytes)).toBe("done");
  expect(await use(bytes, "damaged_file")).toBe("damaged_file");
  expect(await use(bytes)).toBe("done");
  expect(engine).toMatchObject({ made: 1, opened: 3 });
  expect(await use(file())).toBe("done");
  expect(engine.made).toBe(2);
});

test.each([
  ["has failed in an unforeseen way", "trap", "damaged_file"],
  ["has no memory left", "out_of_memory", "out_of_memory"],
] as const)("one that %s serves no other picture", async (_, thrown, code) => {
  const bytes = file();
  expect(await use(bytes, thrown)).toBe(code);
  expect(await use(bytes)).toBe("done");
  expect(engine.made).toBe(2);
});

test("a file that it does not open is not opened again for each of its pictures", async () => {
  engine.code = 2;
  const bytes = file();
  expect([await use(bytes), await use(bytes)]).toEqual(["damaged_file", "damaged_file"]);
  expect(engine.opened).toBe(1);
});
