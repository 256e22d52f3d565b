const SFNT = { tables: 4, directory: 12, entryBytes: 16 };
const CMAP = 0x636d6170;
/** The platforms with Unicode maps: Unicode and Windows. */
export const UNICODE_PLATFORMS: readonly number[] = [0, 3];

type Has = (codePoint: number) => boolean;

const known = new WeakMap<Uint8Array, Has>();

/**
 * Returns a function that says whether a font has a character, by its `cmap` (OpenType 1.9, formats 4 and 12). For an
 * unreadable `cmap`, it is always true.
 */
export function charactersOf(font: Uint8Array): Has {
  const before = known.get(font);
  if (before) return before;
  const has = readMaps(font);
  known.set(font, has);
  return has;
}

function readMaps(font: Uint8Array): Has {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  try {
    const maps = unicodeMaps(view);
    return maps.length > 0 ? (codePoint) => maps.some((map) => map(codePoint)) : () => true;
  } catch (thrown) {
    if (thrown instanceof RangeError) return () => true;
    throw thrown;
  }
}

function unicodeMaps(view: DataView): Has[] {
  const start = tableAt(view, CMAP);
  if (start === undefined) return [];
  const maps: Has[] = [];
  for (let index = 0; index < view.getUint16(start + 2); index++) {
    const record = start + 4 + 8 * index;
    if (!UNICODE_PLATFORMS.includes(view.getUint16(record))) continue;
    const at = start + view.getUint32(record + 4);
    const format = view.getUint16(at);
    if (format === 4) maps.push(bySegments(view, at));
    if (format === 12) maps.push(byGroups(view, at));
  }
  return maps;
}

/** Returns where a table of a font begins. */
export function tableAt(view: DataView, tag: number): number | undefined {
  for (let index = 0; index < view.getUint16(SFNT.tables); index++) {
    const entry = SFNT.directory + SFNT.entryBytes * index;
    if (view.getUint32(entry) === tag) return view.getUint32(entry + 8);
  }
  return undefined;
}

/** Format 4: characters of the Basic Multilingual Plane. */
function bySegments(view: DataView, at: number): Has {
  const count = view.getUint16(at + 6) / 2;
  const ends = at + 14;
  const starts = ends + 2 * count + 2;
  const deltas = starts + 2 * count;
  const offsets = deltas + 2 * count;
  // Throws a RangeError for a table that is cut off.
  view.getUint16(offsets + 2 * count - 2);
  return (codePoint) => {
    for (let segment = 0; segment < count; segment++) {
      if (view.getUint16(ends + 2 * segment) < codePoint) continue;
      const start = view.getUint16(starts + 2 * segment);
      if (start > codePoint) return false;
      const offsetAt = offsets + 2 * segment;
      const offset = view.getUint16(offsetAt);
      const delta = view.getUint16(deltas + 2 * segment);
      if (offset === 0) return ((codePoint + delta) & 0xffff) !== 0;
      const glyphAt = offsetAt + offset + 2 * (codePoint - start);
      return glyphAt + 2 <= view.byteLength && view.getUint16(glyphAt) !== 0;
    }
    return false;
  };
}

/** Format 12: all characters. */
function byGroups(view: DataView, at: number): Has {
  const count = view.getUint32(at + 12);
  // Throws a RangeError for a table that is cut off.
  if (count > 0) view.getUint32(at + 16 + 12 * count - 4);
  return (codePoint) => {
    for (let group = at + 16; group < at + 16 + 12 * count; group += 12) {
      if (view.getUint32(group + 4) >= codePoint) return view.getUint32(group) <= codePoint;
    }
    return false;
  };
}
