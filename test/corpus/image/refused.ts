/**
 * Files that Stayput refuses with `damaged_file` by design, though native programs make something of them. They count
 * as files that native programs cannot open.
 */
export const REFUSED_FILES: ReadonlySet<string> = new Set([
  // Made by fuzzing: rows with a filter type that does not exist.
  "png/c-586914b5d01d3889fb7bb5c44fe29771.png",
  "png/c-m1-125cdc39e13ce7c237b7b4a9e1d8f21c.png",
  "png/m1-5ae377bebf643e2e53ba7038103e48c4.png",
  "png/m3-71915ab0b1cc7350091ef7073a312d16.png",
  // Made by fuzzing: a PNG without its end, and JPEGs that browsers do not decode up to their damage either.
  "png/9032e447e32e09aef5b7de2fab42494d.png",
  "jpg/56d4a1bb53241f7c5ed6ab531320a542.jpg",
  "jpg/5c67195f6993c9f8d0d32d4ffe0d8e62.jpg",
  "jpg/ba60305ac83fe3d8ef01da1d9a0ecc79.jpg",
  "jpg/ef1f8a057bb6056674fad92f6b8c0acd.jpg",
  "jpg/f6419b06a39ff09604343848658b1a41.jpg",
  // PngSuite's file with a wrong checksum, which decoders should refuse.
  "png/xcsn0g01.png",
  // Conformance files that libheif 1.23 refuses: a large crop, or one tile used twice.
  "heic/C013.heic",
  "heic/C021.heic",
  "heic/MIAF007.heic",
]);
