// Known advisories for the libraries of native-libraries.mjs and for bundled packages. A test fails when a library is
// older than `fixedIn` and the advisory is not accepted for its file, and when an acceptance is no longer needed.
// A weekly workflow compares the list with a public feed: check-advisories.mjs.
//
// To update: add what the feed names. When a package brings a new version, change native-libraries.mjs, run
// `npx vitest run --project unit test/unit/scripts`, and delete the acceptances that it names.

/**
 * Why an advisory is accepted. `absent`: the file does not hold the code. `unreachable`: no file of a user leads to it.
 * `contained`: a file may lead to it, and SECURITY.md ("Codecs") says what holds.
 *
 * @typedef {{ kind: "absent" | "unreachable" | "contained", reason: string }} Acceptance
 */

/**
 * @typedef {object} Advisory
 * @property {string} library its name in native-libraries.mjs, or the name of a package
 * @property {readonly string[]} ids CVE, GHSA, RUSTSEC or OSV
 * @property {string} title
 * @property {string} [fixedIn] the first release with the fix. Absent while there is none
 * @property {string} source the page that was read
 * @property {string} checked the date
 * @property {Readonly<Record<string, Acceptance>>} [accepted] by WebAssembly file
 */

/** @type {(reason: string) => Acceptance} */
const contained = (reason) => ({ kind: "contained", reason });
/** @type {(reason: string) => Acceptance} */
const unreachable = (reason) => ({ kind: "unreachable", reason });
/** @type {(reason: string) => Acceptance} */
const absent = (reason) => ({ kind: "absent", reason });

const CHECKED = "2026-11-27";
const SOLUS = "https://github.com/getsolus/packages/pull";

const NO_NEWER_HEVC = contained(
  "No package has a newer build with an HEVC decoder. An instance decodes one picture and is dropped.",
);
const ONLY_OUR_PIXELS = contained(
  "The encoder gets decoded pixels of limited size, and settings from a fixed set. An instance encodes one picture.",
);
const NO_NEWER_PDFIUM = contained(
  "No package has a newer build. An instance of PDFium serves one document and is dropped.",
);
const NO_NEWER_JXL = contained(
  "No package has a newer build of this size that runs without `unsafe-eval`. The engine imports nothing of the browser. An " +
    "instance decodes one picture and is dropped.",
);
const NO_PNG_IN_PDFIUM = unreachable(
  "Only functions of embedpdf that write and read PNG use it. Stayput calls none.",
);
const NO_VIDEO = unreachable(
  "The encoder gets one frame with fixed settings: no scalable layers, no second size.",
);

/** @type {(fixedIn: string, source: string, ids: readonly string[], title?: string) => Advisory} */
const libheif = (fixedIn, source, ids, title = "memory safety, in HEIF files") => ({
  ...{ library: "libheif", ids, title, fixedIn, source, checked: CHECKED },
  accepted: { "libheif.wasm": NO_NEWER_HEVC },
});

/** @type {(fixedIn: string, source: string, ids: readonly string[], title?: string) => Advisory} */
const libde265 = (fixedIn, source, ids, title = "memory safety, in HEVC data") => ({
  ...{ library: "libde265", ids, title, fixedIn, source, checked: CHECKED },
  accepted: { "libheif.wasm": NO_NEWER_HEVC },
});

/** @type {(fixedIn: string, source: string, ids: readonly string[]) => Advisory} */
const libpng = (fixedIn, source, ids) => ({
  ...{ library: "libpng", ids, title: "memory safety, in PNG files", fixedIn, source, checked: CHECKED },
  accepted: { "pdfium.wasm": NO_PNG_IN_PDFIUM },
});

/** @type {(ids: readonly string[], title: string, source: string) => Advisory} */
const mozjpeg = (ids, title, source) => ({
  ...{ library: "MozJPEG (libjpeg-turbo)", ids, title, fixedIn: "4.0.3", source, checked: CHECKED },
});

/** @type {readonly Advisory[]} */
export const ADVISORIES = [
  {
    library: "libwebp",
    ids: ["CVE-2023-4863", "CVE-2023-5129", "GHSA-j7hp-h8jx-5ppr"],
    title: "heap overflow in lossless decoding",
    fixedIn: "1.3.2",
    source: "https://github.com/webp-sh/webp_server_go/pull/276",
    checked: CHECKED,
  },
  {
    library: "libwebp",
    ids: ["CVE-2023-1999"],
    title: "use after free when the encoder runs out of memory for alpha",
    fixedIn: "1.3.1",
    source: "https://github.com/AOSC-Dev/aosc-os-abbs/issues/4609",
    checked: CHECKED,
  },
  libheif("1.23.3", `${SOLUS}/10465`, [
    ...["GHSA-8fmq-r4pf-7m57", "GHSA-4jqm-2x34-6f6r", "GHSA-hh47-fhqr-cj2r", "GHSA-4h82-g446-83fm"],
    ...["GHSA-9rj8-5mp5-26c9", "GHSA-gh5q-69gg-c964", "GHSA-8857-r8x5-7499", "GHSA-x8r2-mggj-j6wr"],
  ]),
  libheif("1.23.3", `${SOLUS}/10465`, ["GHSA-w7mc-p8jc-p853"], "old contents of the memory in the pixels"),
  libheif("1.23.4", `${SOLUS}/10543`, [
    ...["GHSA-vg7w-rp49-4fc2", "GHSA-xrp2-63fq-jm8q", "GHSA-prgh-72vc-3xmc", "GHSA-fqpw-fj22-78w4"],
    ...["GHSA-4rv4-953r-p24q", "GHSA-rhgw-q5g8-xjh2"],
  ]),
  libheif("1.23.5", `${SOLUS}/10766`, [
    ...["GHSA-v8qw-hwjv-44hw", "GHSA-qwpf-5wf7-r996", "GHSA-9c75-9g8r-4728", "GHSA-r7gr-2xm2-23wf"],
    ...["GHSA-q492-cfcm-895h", "GHSA-qfj5-c4pq-q998", "GHSA-7pwf-qh74-p35w"],
  ]),
  libde265("1.0.16", "https://github.com/AOSC-Dev/aosc-os-abbs/pull/14544", [
    ...["CVE-2024-38949", "CVE-2024-38950"],
  ]),
  libde265(
    "1.0.17",
    "https://github.com/awxkee/avif-coder/issues/63",
    ["CVE-2026-33165", "GHSA-653q-9f73-8hvg"],
    "heap overflow in set_SliceHeaderIndex",
  ),
  libde265("1.0.18", `${SOLUS}/8618`, ["CVE-2025-61147", "CVE-2026-33164"]),
  libde265("1.0.19", `${SOLUS}/8965`, ["CVE-2026-45382", "CVE-2026-45383"]),
  libde265(
    "1.1.0",
    `${SOLUS}/9038`,
    ["GHSA-g2rg-wj66-w594", "GHSA-vv8h-932h-7r86"],
    "writes out of bounds, by sizes and reference picture sets",
  ),
  libde265(
    "1.1.0",
    `${SOLUS}/9038`,
    ["GHSA-g5hj-rf9f-7vxm", "GHSA-x27c-jp65-g395"],
    "unbounded memory and quadratic time",
  ),
  libde265("1.1.1", `${SOLUS}/9323`, ["GHSA-ccfw-29x7-rrx3", "GHSA-j2qq-x2xq-g9wr"]),
  libde265("1.1.2", `${SOLUS}/10492`, ["GHSA-xp3h-6f5r-8cxp", "GHSA-mm7m-v26f-wf8x"]),
  {
    library: "libavif",
    ids: ["CVE-2025-48174", "CVE-2025-48175", "GHSA-762c-2538-h844"],
    title: "integer overflows for very large pictures, when writing",
    fixedIn: "1.3.0",
    source: "https://github.com/AOMediaCodec/libavif/pull/2769",
    checked: CHECKED,
    accepted: { "avif_enc.wasm": ONLY_OUR_PIXELS },
  },
  {
    library: "libaom",
    ids: ["CVE-2023-6879"],
    title: "heap overflow when frames grow, with several threads",
    fixedIn: "3.7.1",
    source: "https://access.redhat.com/security/cve/CVE-2023-6879",
    checked: CHECKED,
    accepted: { "avif_enc.wasm": NO_VIDEO },
  },
  {
    library: "libaom",
    ids: ["CVE-2024-5171"],
    title: "integer overflow in img_alloc_helper, for very large pictures",
    fixedIn: "3.9.1",
    source: "https://osv.dev/vulnerability/CVE-2024-5171",
    checked: CHECKED,
    accepted: { "avif_enc.wasm": ONLY_OUR_PIXELS },
  },
  {
    library: "libaom",
    ids: ["CVE-2026-56208", "CVE-2026-56209", "CVE-2026-56210"],
    title: "writes and reads out of bounds with scalable layers, or after the second frame",
    fixedIn: "3.14.1",
    source: "https://github.com/microsoft/vcpkg/issues/52884",
    checked: CHECKED,
    accepted: { "avif_enc.wasm": NO_VIDEO },
  },
  mozjpeg(
    ["CVE-2018-14498"],
    "read out of bounds in BMP files",
    "https://github.com/NixOS/nixpkgs/pull/119117",
  ),
  mozjpeg(
    ["CVE-2018-20330"],
    "integer overflow in tjLoadImage",
    "https://github.com/mozilla/mozjpeg/issues/350",
  ),
  mozjpeg(
    ["CVE-2020-17541"],
    "stack overflow in lossless transforms",
    "https://github.com/libjpeg-turbo/libjpeg-turbo/issues/527",
  ),
  mozjpeg(
    ["CVE-2020-13790"],
    "read out of bounds in PPM files",
    "https://github.com/haikuports/haikuports/issues/5479",
  ),
  {
    library: "Little CMS",
    ids: ["CVE-2026-41254"],
    title: "integer overflow in CubeSize, for tables of a profile",
    fixedIn: "2.19",
    source: "https://github.com/world-federation-of-advertisers/cross-media-measurement/issues/3765",
    checked: CHECKED,
    accepted: { "pdfium.wasm": NO_NEWER_PDFIUM },
  },
  {
    library: "PDFium",
    ids: ["CVE-2026-9958", "CVE-2026-9960"],
    title: "use after free and integer overflow",
    fixedIn: "7827",
    source: "https://github.com/grafana/grafana-image-renderer/pull/996",
    checked: CHECKED,
    accepted: { "pdfium.wasm": NO_NEWER_PDFIUM },
  },
  {
    library: "FreeType",
    ids: ["CVE-2026-23865"],
    title: "memory safety, in fonts",
    fixedIn: "2.14.2",
    source: "https://github.com/getsolus/packages/pull/8072",
    checked: CHECKED,
    accepted: { "pdfium.wasm": NO_NEWER_PDFIUM },
  },
  {
    library: "OpenJPEG",
    ids: ["CVE-2025-54874"],
    title: "use of an image that was never set, after a header that cannot be read",
    fixedIn: "2.5.4",
    source: "https://github.com/uclouvain/openjpeg/pull/1573",
    checked: CHECKED,
    accepted: {
      "pdfium.wasm": unreachable("PDFium sets the image to null before the call (cjpx_decoder.cpp)."),
    },
  },
  {
    library: "OpenJPEG",
    ids: ["OSV-2025-219"],
    title: "heap overflow in opj_j2k_read_tile_header",
    source: "https://github.com/uclouvain/openjpeg/issues/1652",
    checked: CHECKED,
    accepted: { "pdfium.wasm": NO_NEWER_PDFIUM },
  },
  libpng("1.6.51", `${SOLUS}/7125`, ["CVE-2025-64505", "CVE-2025-64506", "CVE-2025-64720", "CVE-2025-65018"]),
  libpng("1.6.52", `${SOLUS}/7244`, ["CVE-2025-66293"]),
  libpng("1.6.54", `${SOLUS}/7592`, ["CVE-2026-22695", "CVE-2026-22801"]),
  libpng("1.6.55", "https://github.com/espressif/idf-extra-components/pull/683", ["CVE-2026-25646"]),
  libpng("1.6.56", `${SOLUS}/8311`, ["CVE-2026-33416", "CVE-2026-33636"]),
  libpng("1.6.58", "https://github.com/espressif/idf-extra-components/pull/739", ["CVE-2026-34757"]),
  {
    library: "jxl-grid (Rust)",
    ids: ["CVE-2026-52834", "GHSA-5pmv-rx8r-wmv5", "RUSTSEC-2026-0151"],
    title: "write out of bounds, in frames of 65,536 pixels a side or more",
    fixedIn: "0.6.2",
    source: "https://github.com/rustsec/advisory-db/pull/2926",
    checked: CHECKED,
    accepted: { "jxl_oxide_wasm_bg.wasm": NO_NEWER_JXL },
  },
  {
    library: "jxl-oxide (Rust)",
    ids: ["GHSA-2v8p-fqpx-2q3w", "GHSA-66m8-c62j-h6v5"],
    title: "lengths that overflow, in FrameBuffer and elsewhere",
    fixedIn: "0.12.6",
    source: "https://advisories.gitlab.com/pkg/cargo/jxl-oxide/",
    checked: CHECKED,
    accepted: { "jxl_oxide_wasm_bg.wasm": NO_NEWER_JXL },
  },
  {
    library: "zlib",
    ids: ["CVE-2026-22184"],
    title: "overflow in untgz",
    fixedIn: "1.3.2",
    source: "https://github.com/osquery/osquery/pull/9096",
    checked: CHECKED,
    accepted: { "pdfium.wasm": absent("untgz is a program of its own.") },
  },
  {
    library: "zlib",
    ids: ["CVE-2026-27171"],
    title: "endless loop in crc32_combine",
    fixedIn: "1.3.2",
    source: "https://github.com/osquery/osquery/pull/9096",
    checked: CHECKED,
    accepted: { "pdfium.wasm": unreachable("PDFium does not combine checksums.") },
  },
];

/**
 * Returns whether a library lacks the fix of an advisory. A library without a version lacks each.
 *
 * @param {{ version?: string }} library
 * @param {{ fixedIn?: string }} advisory
 */
export function lacksFix({ version }, { fixedIn }) {
  if (version === undefined || fixedIn === undefined) return true;
  const [ours, fixed] = [version, fixedIn].map((one) => one.split(".").map(Number));
  for (const [at, part] of (fixed ?? []).entries()) {
    const own = ours?.[at] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}
