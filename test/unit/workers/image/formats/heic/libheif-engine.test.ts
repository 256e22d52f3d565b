import { beforeEach, expect, test, vi } from "vitest";
import type { ErrorCode } from "../../../../../../src/shared/errors.ts";

/**
 * How often libheif was made, how often a file was opened in it, what it says then (a code, 0 if all is well), and its
 * memory.
 */
const engine = vi.hoisted(() => ({ made: 0, opened: 0, code: 0, memory: new Uint8Array() }));

vi.mock("../../../../../../workers/image/wasm/wasm-module.ts", () => ({ wasmModule: async () => ({}) }));
vi.mock("../../../../../../workers/image/formats/heic/wasm/libheif.ts", () => ({
  createLibheif: () => {
    engine.made++;
    const HEAPU8 = new Uint8Array(4096);
    HEAPU8.set([7, 8, 9], 100);
    engine.memory = HEAPU8;
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

/** What comes of a use of a file in which something is looked at or thrown: an error of that code, or a trap. */
async function use(
  bytes: Uint8Array<ArrayBuffer>,
  thrown?: ErrorCode | "trap" | (() => void),
): Promise<string> {
  const { withLibheif } = await import("../../../../../../workers/image/formats/heic/libheif.ts");
  const { ServiceError } = await import("../../../../../../src/shared/errors.ts");
  try {
    return await withLibheif(bytes, () => {
      if (thrown === "trap") throw new WebAssembly.RuntimeError("unreachable");
      if (typeof thrown === "function") thrown();
      else if (thrown) throw new ServiceError(thrown, "It failed.");
      return "done";
    });
  } catch (caught) {
    return String((caught as { code?: string }).code);
  }
}

const file = () => new Uint8Array(8);

test("reuses one engine for all pictures of a file, and resets it for another file", async () => {
  const bytes = file();
  expect(await use(bytes)).toBe("done");
  expect(await use(bytes, "damaged_file")).toBe("damaged_file");
  engine.memory.fill(1);
  let seen: number[] = [];
  const look = () => {
    seen = [0, 99, 100, 101, 102, 103, 3000, 4095].map((at) => engine.memory[at] ?? -1);
  };
  expect(await use(bytes, look)).toBe("done");
  expect(seen).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  expect(await use(file(), look)).toBe("done");
  expect(seen).toEqual([0, 0, 7, 8, 9, 0, 0, 0]);
  expect(engine).toMatchObject({ made: 1, opened: 4 });
});

test("creates another engine while the first is in use", async () => {
  const bytes = file();
  const { withLibheif } = await import("../../../../../../workers/image/formats/heic/libheif.ts");
  await withLibheif(bytes, async () => {
    await withLibheif(bytes, () => {});
  });
  expect(engine.made).toBe(2);
});

test.each([
  ["has failed in an unforeseen way", "trap", "damaged_file"],
  ["has no memory left", "out_of_memory", "out_of_memory"],
] as const)("drops an engine that %s", async (_, thrown, code) => {
  const bytes = file();
  expect(await use(bytes, thrown)).toBe(code);
  expect(await use(bytes)).toBe("done");
  expect(engine.made).toBe(2);
});

test("opens an unreadable file once for all of its pictures", async () => {
  engine.code = 2;
  const bytes = file();
  expect([await use(bytes), await use(bytes)]).toEqual(["damaged_file", "damaged_file"]);
  expect(engine.opened).toBe(1);
});
