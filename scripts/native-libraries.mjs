// The C, C++ and Rust libraries inside the WebAssembly files. Package managers do not list them, so this table does, for
// the license notices and the SBOM. `proof` is text in the binary that shows the version: a test looks for it, and fails
// when an update of a package changes the library.

/**
 * @typedef {object} NativeLibrary
 * @property {string} name
 * @property {string} [version] a release or a commit. Absent when neither the binary nor its build names it
 * @property {string} license SPDX expression, or a name when SPDX has none
 * @property {string} copyright
 * @property {string} url where its source is
 * @property {string} [proof] text that the binary holds
 * @property {string} [notice] what the license asks to print besides its own text
 */

const IJG_NOTICE = "This software is based in part on the work of the Independent JPEG Group.";

/** @type {NativeLibrary} */
const EMSCRIPTEN = {
  name: "Emscripten runtime (musl, libc++, dlmalloc)",
  license: "MIT AND Apache-2.0",
  copyright: "Copyright (c) 2010 Emscripten authors, 2005 Rich Felker, The LLVM Project",
  url: "https://github.com/emscripten-core/emscripten",
};

/** @type {(name: string, version: string) => NativeLibrary} */
const crate = (name, version) => ({
  name: `${name} (Rust)`,
  version,
  license: "MIT OR Apache-2.0",
  copyright: `Copyright (c) the authors of ${name}`,
  url: `https://crates.io/crates/${name}`,
  proof: `${name}-${version}`,
});

/** @type {NativeLibrary} */
const MOZJPEG = {
  name: "MozJPEG (libjpeg-turbo)",
  version: "3.3.1",
  license: "IJG AND BSD-3-Clause AND Zlib",
  copyright:
    "Copyright (C) 1991-2016 Thomas G. Lane, Guido Vollbeding. Copyright (C) 2009-2018 D. R. Commander. Copyright (C) 2014 Mozilla Corporation",
  url: "https://github.com/mozilla/mozjpeg",
  proof: "The libjpeg-turbo Project",
  notice: IJG_NOTICE,
};

/** @type {NativeLibrary} */
const LIBWEBP = {
  name: "libwebp",
  version: "d2e245ea9e959a5a79e1db0ed2085206947e98f2",
  license: "BSD-3-Clause",
  copyright: "Copyright (c) 2010, Google Inc.",
  url: "https://github.com/webmproject/libwebp",
};

/** @type {NativeLibrary} */
const ASSEMBLYSCRIPT = {
  name: "AssemblyScript standard library",
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
      license: "BSD-2-Clause",
      copyright: "Copyright 2019 Joe Drago. All rights reserved.",
      url: "https://github.com/AOMediaCodec/libavif",
    },
    {
      name: "libaom",
      version: "3.7.0",
      license: "BSD-2-Clause",
      copyright: "Copyright (c) 2016, Alliance for Open Media. All rights reserved.",
      url: "https://aomedia.googlesource.com/aom",
      proof: "AOMedia Project AV1 Encoder v3.7.0",
      notice:
        "Patents: Alliance for Open Media Patent License 1.0, https://aomedia.org/license/patent-license/.",
    },
    {
      name: "libsharpyuv (libwebp)",
      version: "e2c85878f6a33f29948b43d3492d9cdaf801aa54",
      license: "BSD-3-Clause",
      copyright: "Copyright (c) 2010, Google Inc.",
      url: "https://chromium.googlesource.com/webm/libwebp",
    },
    {
      name: "libyuv",
      license: "BSD-3-Clause",
      copyright: "Copyright 2011 The LibYuv Project Authors. All rights reserved.",
      url: "https://chromium.googlesource.com/libyuv/libyuv",
    },
    EMSCRIPTEN,
  ],
  "hevc-decoder.wasm": [ASSEMBLYSCRIPT],
  "jpeg-encoder.wasm": [ASSEMBLYSCRIPT],
  "lcms.wasm": [
    {
      name: "Little CMS",
      license: "MIT",
      copyright: "Copyright (c) 1998-2023 Marti Maria Saguer",
      url: "https://github.com/mm2/Little-CMS",
      proof: "cmsOpenProfileFromMem",
    },
    EMSCRIPTEN,
  ],
  "libheif.wasm": [
    {
      name: "libheif",
      version: "1.23.2",
      license: "LGPL-3.0-or-later",
      copyright: "Copyright (c) 2017-2026 Dirk Farin",
      url: "https://github.com/strukturag/libheif",
      proof: "1.23.2",
    },
    {
      name: "libde265",
      version: "1.0.15",
      license: "LGPL-3.0-or-later",
      copyright: "Copyright (c) 2013-2014 struktur AG, Dirk Farin",
      url: "https://github.com/strukturag/libde265",
      proof: "1.0.15",
    },
    EMSCRIPTEN,
  ],
  "mozjpeg_dec.wasm": [MOZJPEG, EMSCRIPTEN],
  "mozjpeg_enc.wasm": [{ ...MOZJPEG, proof: "mozjpeg version 3.3.1" }, EMSCRIPTEN],
  "pdfium.wasm": [
    {
      name: "PDFium",
      license: "BSD-3-Clause AND Apache-2.0",
      copyright: "Copyright 2014 PDFium Authors. All rights reserved.",
      url: "https://pdfium.googlesource.com/pdfium",
      proof: "FPDF_LoadPage",
    },
    {
      name: "Anti-Grain Geometry",
      version: "2.3",
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
      license: "FTL",
      copyright:
        "Portions of this software are copyright (c) The FreeType Project (https://freetype.org). All rights reserved.",
      url: "https://gitlab.freedesktop.org/freetype/freetype",
      proof: "FREETYPE_PROPERTIES",
    },
    {
      name: "OpenJPEG",
      license: "BSD-2-Clause",
      copyright: "Copyright (c) 2002-2014, Université catholique de Louvain (UCL), Belgium, and contributors",
      url: "https://github.com/uclouvain/openjpeg",
      proof: "OpenJpeg only supports",
    },
    {
      name: "libjpeg-turbo",
      license: "IJG AND BSD-3-Clause AND Zlib",
      copyright:
        "Copyright (C) 1991-2020 Thomas G. Lane, Guido Vollbeding. Copyright (C) 2009-2024 D. R. Commander",
      url: "https://github.com/libjpeg-turbo/libjpeg-turbo",
      notice: IJG_NOTICE,
    },
    {
      name: "libpng",
      version: "1.6.43",
      license: "libpng-2.0",
      copyright:
        "Copyright (c) 1995-2024 The PNG Reference Library Authors. Copyright (c) 2018-2024 Cosmin Truta",
      url: "https://github.com/pnggroup/libpng",
      proof: "1.6.43",
    },
    {
      name: "zlib",
      version: "1.3.1",
      license: "Zlib",
      copyright: "Copyright (C) 1995-2024 Jean-loup Gailly and Mark Adler",
      url: "https://github.com/madler/zlib",
      proof: "1.3.1",
    },
    {
      name: "Little CMS",
      license: "MIT",
      copyright: "Copyright (c) 1998-2024 Marti Maria Saguer",
      url: "https://github.com/mm2/Little-CMS",
      proof: "Unsupported profile version",
    },
    {
      name: "Abseil",
      license: "Apache-2.0",
      copyright: "Copyright The Abseil Authors",
      url: "https://github.com/abseil/abseil-cpp",
    },
    {
      name: "fast_float",
      license: "MIT OR Apache-2.0",
      copyright: "Copyright (c) 2021 The fast_float authors",
      url: "https://github.com/fastfloat/fast_float",
    },
    EMSCRIPTEN,
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
  "webp_dec.wasm": [LIBWEBP, EMSCRIPTEN],
  "webp_enc_simd.wasm": [LIBWEBP, EMSCRIPTEN],
};
