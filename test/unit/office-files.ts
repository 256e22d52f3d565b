import { strToU8, zipSync } from "fflate";

/** An office document of today in outline: a zip of these files, all of them short. */
export function zipOf(names: readonly string[], content = "<xml/>"): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zipSync(Object.fromEntries(names.map((name) => [name, strToU8(content)]))));
}

/** An OpenDocument file in outline: its type first, stored. */
export function openDocument(type: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    zipSync({ mimetype: [strToU8(type), { level: 0 }], "content.xml": strToU8("<office:document/>") }),
  );
}

/** An OLE compound file in outline: a header and, somewhere, a directory with these entries ([MS-CFB] 2.2, 2.6). */
export function compoundFile(
  names: readonly string[],
  { sectorShift = 9, directorySector = 3 } = {},
): Uint8Array<ArrayBuffer> {
  const start = (directorySector + 1) * 2 ** sectorShift;
  const bytes = new Uint8Array(start + names.length * 128);
  const view = new DataView(bytes.buffer);
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  view.setUint16(30, sectorShift, true);
  view.setUint32(48, directorySector, true);
  names.forEach((name, entry) => {
    const at = start + entry * 128;
    for (let index = 0; index < name.length; index++)
      view.setUint16(at + 2 * index, name.charCodeAt(index), true);
    view.setUint16(at + 64, 2 * name.length + 2, true);
  });
  return bytes;
}
