// The C, C++ and Rust libraries inside the WebAssembly files. Package managers do not list them, so this table does, for
// the license notices, the SBOM and the check for advisories (advisories.mjs). `proof` is text in the binary that shows
// the version: a test looks for it, and fails when an update of a package changes the library. The linked
// libraries have a function for it, which test/unit/workers/wasm/linked-module.test.ts calls.

/**
 * How the version of a library was found, in the words of CycloneDX (`evidence.identity.methods`).
 *
 * @typedef {object} Evidence
 * @property {"binary-analysis" | "manifest-analysis" | "other"} technique
 * @property {number} confidence from 0 to 1
 * @property {string} value
 */

/**
 * @typedef {object} NativeLibrary
 * @property {string} name
 * @property {string} [version] the release, or the last release before `commit`. Absent when nothing names it
 * @property {string} [commit] what was compiled, when that is no release. A commit of `url`
 * @property {Evidence} found
 * @property {string} license SPDX expression, or a name when SPDX has none
 * @property {string} copyright
 * @property {string} url where its source is
 * @property {string} [purl] its address in a package registry
 * @property {string} [proof] text that the binary holds
 * @property {string} [notice] what the license asks to print besides its own text
 */

/** @type {(value: string) => Evidence} */
const inBinary = (value) => ({ technique: "binary-analysis", confidence: 1, value });
/** @type {(value: string) => Evidence} */
const inBuild = (value) => ({ technique: "manifest-analysis", confidence: 0.8, value });
/** @type {(value: string) => Evidence} */
const inferred = (value) => ({ technique: "other", confidence: 0.4, value });

const IJG_NOTICE = "This software is based in part on the work of the Independent JPEG Group.";

const DOCKERFILE = "tools/cpp.Dockerfile in the repository of jSquash";
const DEPS = "DEPS of PDFium at the commit in this table, which is inferred";

/** @type {(found: Evidence, version?: string) => NativeLibrary} */
const emscripten = (found, version) => ({
  name: "Emscripten runtime (musl, libc++, dlmalloc)",
  ...(version && { version }),
  found,
  license: "MIT AND Apache-2.0",
  copyright: "Copyright (c) 2010 Emscripten authors, 2005 Rich Felker, The LLVM Project",
  url: "https://github.com/emscripten-core/emscripten",
});
const EMSCRIPTEN = emscripten(inBuild(DOCKERFILE), "2.0.34");

/** @type {(name: string, version: string) => NativeLibrary} */
const crate = (name, version) => ({
  name: `${name} (Rust)`,
  version,
  found: inBinary("path of its source in a panic message"),
  license: "MIT OR Apache-2.0",
  copyright: `Copyright (c) the authors of ${name}`,
  url: `https://crates.io/crates/${name}`,
  purl: `pkg:cargo/${name}@${version}`,
  proof: `${name}-${version}`,
});

/** @type {NativeLibrary} */
const MOZJPEG = {
  name: "MozJPEG (libjpeg-turbo)",
  version: "5.0.0",
  commit: "08265790774cd0714832c9e675522acbe5581437",
  found: inBuild(
    "jconfig.h and versions.json of @img/sharp-libvips-dev-wasm32. It is based on libjpeg-turbo 3.0.5",
  ),
  license: "IJG AND BSD-3-Clause AND Zlib",
  copyright:
    "Copyright (C) 1991-2020 Thomas G. Lane, Guido Vollbeding. Copyright (C) 2009-2024 D. R. Commander. Copyright (C) 2014 Mozilla Corporation",
  url: "https://github.com/mozilla/mozjpeg",
  notice: IJG_NOTICE,
};

/** @type {NativeLibrary} */
const LIBWEBP = {
  name: "libwebp",
  version: "1.6.0",
  found: inBinary("WebPGetDecoderVersion and WebPGetEncoderVersion"),
  license: "BSD-3-Clause",
  copyright: "Copyright (c) 2010, Google Inc.",
  url: "https://chromium.googlesource.com/webm/libwebp",
};

/** The C library of the modules that link-codecs.mjs links. @type {NativeLibrary} */
const WASI_LIBC = {
  name: "wasi-libc (musl, dlmalloc)",
  found: inBinary("its compiler: the section `producers` names clang 21.1.4 of wasi-sdk"),
  license: "MIT",
  copyright: "Copyright (c) 2005-2020 Rich Felker, et al. Copyright the contributors of wasi-libc",
  url: "https://github.com/WebAssembly/wasi-libc",
  proof: "21.1.4-wasi-sdk",
};

/** @type {NativeLibrary} */
const ASSEMBLYSCRIPT = {
  name: "AssemblyScript standard library",
  version: "0.28.20",
  found: inBuild("package.json: Stayput compiles this file"),
  purl: "pkg:npm/assemblyscript@0.28.20",
  license: "Apache-2.0",
  copyright: "Copyright 2020 Daniel Wirtz / The AssemblyScript Authors",
  url: "https://github.com/AssemblyScript/assemblyscript",
};

/** @type {Readonly<Record<string, readonly NativeLibrary[]>>} */
export const NATIVE_LIBRARIES = {
  "avif_enc.wasm": [
    {
      name: "libavif",
      version: "1.0.1",
      found: inBuild("packages/avif/codec/Makefile in the repository of jSquash"),
      license: "BSD-2-Clause",
      copyright: "Copyright 2019 Joe Drago. All rights reserved.",
      url: "https://github.com/AOMediaCodec/libavif",
    },
    {
      name: "libaom",
      version: "3.7.0",
      found: inBinary("text of aom_codec_version_str"),
      license: "BSD-2-Clause",
      copyright: "Copyright (c) 2016, Alliance for Open Media. All rights reserved.",
      url: "https://aomedia.googlesource.com/aom",
      proof: "AOMedia Project AV1 Encoder v3.7.0",
      notice:
        "Patents: Alliance for Open Media Patent License 1.0, https://aomedia.org/license/patent-license/.",
    },
    {
      name: "libsharpyuv (libwebp)",
      version: "1.3.1",
      commit: "e2c85878f6a33f29948b43d3492d9cdaf801aa54",
      found: inBuild("packages/avif/codec/Makefile in the repository of jSquash: 29 commits after 1.3.1"),
      license: "BSD-3-Clause",
      copyright: "Copyright (c) 2010, Google Inc.",
      url: "https://chromium.googlesource.com/webm/libwebp",
    },
    {
      name: "libyuv",
      found: inBuild("libavif 1.0.1 holds parts of it, without a version"),
      license: "BSD-3-Clause",
      copyright: "Copyright 2011 The LibYuv Project Authors. All rights reserved.",
      url: "https://chromium.googlesource.com/libyuv/libyuv",
    },
    EMSCRIPTEN,
  ],
  "hevc-decoder.wasm": [ASSEMBLYSCRIPT],
  "jpeg-encoder.wasm": [ASSEMBLYSCRIPT],
  "jxl_oxide_wasm_bg.wasm": [
    { ...crate("jxl-oxide", "0.12.5"), found: inBinary("text of version"), proof: "0.12.5" },
    {
      ...crate("jxl-grid", "0.6.1"),
      found: inBuild("Cargo.lock of 0.12.5 in the repository of jxl-oxide"),
      proof: "crates/jxl-grid",
    },
    crate("png", "0.18.0"),
    crate("fdeflate", "0.3.7"),
    crate("flate2", "1.1.2"),
    crate("miniz_oxide", "0.8.9"),
    { ...crate("brotli-decompressor", "5.0.0"), license: "BSD-3-Clause OR MIT" },
    { ...crate("alloc-stdlib", "0.2.2"), license: "BSD-3-Clause" },
    crate("hashbrown", "0.15.4"),
    crate("once_cell", "1.21.3"),
    { ...crate("tracing-core", "0.1.34"), license: "MIT" },
    crate("wasm-bindgen", "0.2.101"),
    crate("dlmalloc", "0.2.9"),
  ],
  "libheif.wasm": [
    {
      name: "libheif",
      version: "1.23.2",
      found: inBinary("text of heif_get_version"),
      license: "LGPL-3.0-or-later",
      copyright: "Copyright (c) 2017-2026 Dirk Farin",
      url: "https://github.com/strukturag/libheif",
      proof: "1.23.2",
    },
    {
      name: "libde265",
      version: "1.0.15",
      found: inBinary("text of de265_get_version"),
      license: "LGPL-3.0-or-later",
      copyright: "Copyright (c) 2013-2014 struktur AG, Dirk Farin",
      url: "https://github.com/strukturag/libde265",
      proof: "1.0.15",
    },
    emscripten(
      inferred("the workflow of libheif-emscripten, in its last public state of June 2025"),
      "3.1.61",
    ),
  ],
  "little-cms.wasm": [
    {
      name: "Little CMS",
      version: "2.19.1",
      found: inBinary(
        "cmsGetEncodedCMMversion gives 2.19; versions.json of @img/sharp-libvips-dev-wasm32 gives 2.19.1",
      ),
      license: "MIT",
      copyright: "Copyright (c) 1998-2026 Marti Maria Saguer",
      url: "https://github.com/mm2/Little-CMS",
    },
    WASI_LIBC,
  ],
  "mozjpeg-decoder.wasm": [MOZJPEG, WASI_LIBC],
  "mozjpeg-encoder.wasm": [MOZJPEG, WASI_LIBC],
  "pdfium.wasm": [
    {
      name: "PDFium",
      version: "7258",
      commit: "20159328af8ccaedc7c8963b0d247d28631000df",
      found: inferred(
        "the last public state of github.com/embedpdf/pdfium is based on this commit of 21 July 2025. The package is " +
          "newer than that, and its commit is not public. The version is the last branch of Chromium before",
      ),
      license: "BSD-3-Clause AND Apache-2.0",
      copyright: "Copyright 2014 PDFium Authors. All rights reserved.",
      url: "https://pdfium.googlesource.com/pdfium",
      proof: "FPDF_LoadPage",
    },
    {
      name: "Anti-Grain Geometry",
      version: "2.3",
      found: inBuild("third_party/agg23/README.pdfium of PDFium"),
      license: "AGG 2.3",
      copyright: "Copyright (C) 2002-2005 Maxim Shemanarev (McSeem)",
      url: "https://pdfium.googlesource.com/pdfium/+/main/third_party/agg23",
      notice:
        "Permission to copy, use, modify, sell and distribute this software is granted provided this copyright notice " +
        'appears in all copies. This software is provided "as is" without express or implied warranty, and with no ' +
        "claim as to its suitability for any purpose.",
    },
    {
      name: "FreeType",
      version: "2.13.3",
      commit: "39d85f1692409240896548c468c64988fbe72b51",
      found: inferred(`${DEPS}: 284 commits after 2.13.3`),
      license: "FTL",
      copyright:
        "Portions of this software are copyright (c) The FreeType Project (https://freetype.org). All rights reserved.",
      url: "https://gitlab.freedesktop.org/freetype/freetype",
      proof: "FREETYPE_PROPERTIES",
    },
    {
      name: "OpenJPEG",
      version: "2.5.3",
      found: inferred("third_party/libopenjpeg/README.pdfium of PDFium at that commit"),
      license: "BSD-2-Clause",
      copyright: "Copyright (c) 2002-2014, Université catholique de Louvain (UCL), Belgium, and contributors",
      url: "https://github.com/uclouvain/openjpeg",
      proof: "OpenJpeg only supports",
    },
    {
      name: "libjpeg-turbo",
      commit: "e14cbfaa85529d47f9f55b0f104a579c1061f9ad",
      found: inferred(DEPS),
      license: "IJG AND BSD-3-Clause AND Zlib",
      copyright:
        "Copyright (C) 1991-2020 Thomas G. Lane, Guido Vollbeding. Copyright (C) 2009-2024 D. R. Commander",
      url: "https://chromium.googlesource.com/chromium/deps/libjpeg_turbo",
      notice: IJG_NOTICE,
    },
    {
      name: "libpng",
      version: "1.6.43",
      found: inBinary("text of png_get_libpng_ver"),
      license: "libpng-2.0",
      copyright:
        "Copyright (c) 1995-2024 The PNG Reference Library Authors. Copyright (c) 2018-2024 Cosmin Truta",
      url: "https://github.com/pnggroup/libpng",
      proof: "1.6.43",
    },
    {
      name: "zlib",
      version: "1.3.1",
      found: inBinary("text of zlibVersion"),
      license: "Zlib",
      copyright: "Copyright (C) 1995-2024 Jean-loup Gailly and Mark Adler",
      url: "https://github.com/madler/zlib",
      proof: "1.3.1",
    },
    {
      name: "Little CMS",
      version: "2.15",
      found: inferred("third_party/lcms/README.pdfium of PDFium at that commit"),
      license: "MIT",
      copyright: "Copyright (c) 1998-2024 Marti Maria Saguer",
      url: "https://github.com/mm2/Little-CMS",
      proof: "Unsupported profile version",
    },
    {
      name: "Abseil",
      commit: "0c63301c7ef3012c448edf67dba246465c9b2443",
      found: inferred(DEPS),
      license: "Apache-2.0",
      copyright: "Copyright The Abseil Authors",
      url: "https://chromium.googlesource.com/chromium/src/third_party/abseil-cpp",
    },
    {
      name: "fast_float",
      commit: "cb1d42aaa1e14b09e1452cfdef373d051b8c02a4",
      found: inferred(DEPS),
      license: "MIT OR Apache-2.0",
      copyright: "Copyright (c) 2021 The fast_float authors",
      url: "https://github.com/fastfloat/fast_float",
    },
    emscripten(inferred("packages/pdfium/Dockerfile of embedpdf at 2.14.2"), "3.1.70"),
  ],
  "resample.wasm": [ASSEMBLYSCRIPT],
  "squoosh_png_bg.wasm": [
    crate("png", "0.17.10"),
    crate("fdeflate", "0.3.3"),
    crate("flate2", "1.0.28"),
    crate("miniz_oxide", "0.7.1"),
    crate("crc32fast", "1.3.2"),
    crate("dlmalloc", "0.2.6"),
  ],
  "webp-decoder.wasm": [LIBWEBP, WASI_LIBC],
  "webp-encoder.wasm": [LIBWEBP, { ...LIBWEBP, name: "libsharpyuv (libwebp)" }, WASI_LIBC],
};
