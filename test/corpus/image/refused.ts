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
  // Conformance files that libheif 1.23 refuses: a large crop, or one tile used twice.
  "heic/C013.heic",
  "heic/C021.heic",
  "heic/MIAF007.heic",
]);
