import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../../../scripts/dependencies.mjs";

// What a codec can do outside of its memory is what it imports. SECURITY.md ("Codecs") says what that is.

/** A WebAssembly file of a package, and the JavaScript that has the names of its imports if these are minified. */
interface Codec {
  readonly wasm: string;
  readonly glue?: string;
}

const CODECS: readonly Codec[] = [
  { wasm: "@embedpdf/pdfium/dist/pdfium.wasm" },
  { wasm: "@jsquash/avif/codec/enc/avif_enc.wasm", glue: "@jsquash/avif/codec/enc/avif_enc.js" },
  { wasm: "@jsquash/png/codec/pkg/squoosh_png_bg.wasm" },
];

const OWN = [
  "workers/codecs/hevc/hevc-decoder.wasm",
  "workers/codecs/jpeg/jpeg-encoder.wasm",
  "workers/image/picture/resample.wasm",
];

/** C libraries that the build links. */
const LINKED = [
  "workers/image/color/wasm/little-cms.wasm",
  "workers/image/formats/jpg/wasm/mozjpeg-decoder.wasm",
  "workers/image/formats/jpg/wasm/mozjpeg-encoder.wasm",
  "workers/image/formats/webp/wasm/webp-decoder.wasm",
  "workers/image/formats/webp/wasm/webp-encoder.wasm",
];

/** The kinds of imports: memory, errors, the clock, files in memory, and values of JavaScript by handles. */
const ALLOWED = [
  /^_*emscripten_(resize_heap|memcpy_\w+|throw_longjmp)$/,
  /^_*(abort|abort_js|exit|assert_fail|cxa_\w+|resumeException|invoke_\w+)$/,
  /^_*(emscripten_date_now|tzset_js|gmtime_js|localtime_js)$/,
  /^_*(syscall_\w+|fd_\w+|environ_\w+)$/,
  /^_*(embind_\w+|emval_\w+|emscripten_asm_const_int)$/,
  /^_*(wbindgen_\w+|wbg_buffer|wbg_newwith\w+)$/,
];

/** Imports that look up a value of JavaScript by its name, as `fetch`. */
const REACHES_GLOBALS = /emval_get_global$/;

describe("a codec imports nothing that SECURITY.md does not name", () => {
  test.each(CODECS)("$wasm", (codec) => {
    const names = importsOf(codec);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !ALLOWED.some((kind) => kind.test(name)))).toEqual([]);
  });

  test.each(OWN)("%s imports nothing", (wasm) => {
    expect(WebAssembly.Module.imports(moduleOf(join(ROOT, wasm)))).toEqual([]);
  });

  test.each(LINKED)("%s imports its memory only", (wasm) => {
    expect(WebAssembly.Module.imports(moduleOf(join(ROOT, wasm)))).toEqual([
      { module: "env", name: "memory", kind: "memory" },
    ]);
  });

  // All names of libheif.js are minified. Its 42 imports were read for 1.23.2: they are of the same kinds.
  test("libheif has the imports that were read", () => {
    const names = importsOf({ wasm: "libheif-js/libheif-wasm/libheif.wasm" });
    expect(names.length).toBe(42);
    expect(readFileSync(installed("libheif-js/libheif-wasm/libheif.js"), "utf8")).not.toMatch(
      /globalThis|WebSocket|importScripts\(|\beval\(/,
    );
  });

  // The bindings of the package give it the global object. Those of Stayput do not: jxl-oxide.ts answers six of these.
  test("jxl-oxide has the imports that were read", () => {
    const names = importsOf({ wasm: "jxl-oxide-wasm/jxl_oxide_wasm_bg.wasm" });
    const places = ["GLOBAL", "GLOBAL_THIS", "SELF", "WINDOW"].map((name) => `static_accessor_${name}`);
    const values = ["call", "height", "left", "newnoargs", "top", "width"];
    const browser = ["instanceof_Window", "instanceof_WorkerGlobalScope", "navigator", "navigator"];
    const named = [...places, ...values, ...browser, "userAgent", "userAgent"].map((name) => `__wbg_${name}`);
    const engine = ["init_externref_table", "is_undefined", "string_new", "throw"];
    expect(names.toSorted()).toEqual([...named, ...engine.map((name) => `__wbindgen_${name}`)].toSorted());
  });

  test("only codecs with embind can look up globals", () => {
    const found = CODECS.filter((codec) => importsOf(codec).some((name) => REACHES_GLOBALS.test(name)));
    expect(new Set(found.map(({ wasm }) => wasm.split("/codec/")[0]))).toEqual(new Set(["@jsquash/avif"]));
  });
});

/** Returns the names of imports, without the hashes of wasm-bindgen. */
function importsOf({ wasm, glue }: Codec): string[] {
  const names = WebAssembly.Module.imports(moduleOf(installed(wasm))).map(({ name }) => name);
  if (glue === undefined) return names.map((name) => name.replace(/_[0-9a-f]{16}$/, ""));
  const [, table = ""] =
    /(?:wasmImports|asmLibraryArg)\s*=\s*\{([^}]*)\}/.exec(readFileSync(installed(glue), "utf8")) ?? [];
  const functions = new Map(
    [...table.matchAll(/"?(\w+)"?:\s*(\w+)/g)].map(([, name, value]) => [name, value]),
  );
  return names.map((name) => functions.get(name) ?? `unknown import ${name}`);
}

function installed(path: string): string {
  return join(ROOT, "node_modules", path);
}

function moduleOf(path: string): WebAssembly.Module {
  return new WebAssembly.Module(readFileSync(path));
}
