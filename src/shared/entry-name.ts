/** The longest file name of ext4, in bytes of UTF-8. NTFS and APFS have 255 UTF-16 code units, which is not less. */
export const LONGEST_NAME = 255;
/** No more UTF-16 code units of a base are read. */
const READ = 4 * LONGEST_NAME;

/** Characters that change the direction of a text, so that `exe.pdf` may look like `fdp.exe` (Unicode UAX 9, 2). */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;
/** A character and all that combines with it: marks, the parts of an emoji, the second letter of a flag. */
const CLUSTERS = /(?:\p{Regional_Indicator}{2}|.)(?:[\p{M}\p{Emoji_Modifier}]|\u200d.)*/gsu;

/**
 * Returns the name of an entry of an archive: at most {@link LONGEST_NAME} bytes of UTF-8, without characters that change
 * the direction. Shortens the base, never the rest.
 *
 * @param base the name of the document, without extension
 * @param rest what follows it: number, title, extension
 */
export function entryName(base: string, rest: string): string {
  const end = withoutDirection(rest);
  const readable = withoutDirection(base).slice(0, READ);
  const room = LONGEST_NAME - byteLength(end);
  const begin = byteLength(readable) <= room ? readable : firstClusters(readable, { bytes: room });
  // Nothing is left of a letter with hundreds of marks.
  return (begin || "file") + end;
}

/**
 * Returns a name without overrides, embeddings and isolates of direction. Marks of direction (U+200E, U+200F, U+061C) stay:
 * they do not reverse letters, and Arabic and Hebrew names need them.
 */
export function withoutDirection(name: string): string {
  return name.replace(DIRECTION, "");
}

/**
 * Returns the beginning of a text, cut between characters that do not combine.
 *
 * @param most how long it may be, in bytes of UTF-8 and in UTF-16 code units
 */
export function firstClusters(
  text: string,
  { bytes, codeUnits = Infinity }: { readonly bytes: number; readonly codeUnits?: number },
): string {
  let part = "";
  let taken = 0;
  for (const [cluster] of text.matchAll(CLUSTERS)) {
    taken += byteLength(cluster);
    if (taken > bytes || part.length + cluster.length > codeUnits) break;
    part += cluster;
  }
  return part;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
