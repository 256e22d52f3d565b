/** The colorants of sRGB under D50, approximately. */
const COLORANTS = { rXYZ: [0.436, 0.222, 0.014], gXYZ: [0.385, 0.717, 0.097], bXYZ: [0.143, 0.061, 0.714] };
const COLORANT_TOLERANCE = 0.006;
/** The linear value of 0.5 in sRGB, and the tolerance, which accepts an exponent of 2.2. */
const MIDDLE = 0.214;
const MIDDLE_TOLERANCE = 0.012;

/**
 * Whether an ICC profile is one of the many profiles of sRGB. Between two of them, color management only rounds
 * values, which no comparison should count. https://www.color.org/specification/ICC.1-2022-05.pdf
 */
export function isSrgbProfile(profile: Buffer): boolean {
  if (profile.length < 132 || profile.toString("latin1", 16, 20) !== "RGB ") return false;
  const tags = tagsOf(profile);
  if ([...tags.keys()].some((name) => name.startsWith("A2B"))) return false;
  const colorantsMatch = Object.entries(COLORANTS).every(([name, wanted]) => {
    const tag = tags.get(name);
    if (tag === undefined || tag.length < 20) return false;
    return wanted.every(
      (value, index) => Math.abs(tag.readInt32BE(8 + 4 * index) / 65536 - value) < COLORANT_TOLERANCE,
    );
  });
  const curve = tags.get("rTRC");
  return colorantsMatch && curve !== undefined && Math.abs(middleOf(curve) - MIDDLE) < MIDDLE_TOLERANCE;
}

function tagsOf(profile: Buffer): ReadonlyMap<string, Buffer> {
  const tags = new Map<string, Buffer>();
  const count = Math.min(100, profile.readUInt32BE(128));
  for (let at = 132; at + 12 <= Math.min(profile.length, 132 + 12 * count); at += 12) {
    const start = profile.readUInt32BE(at + 4);
    const tag = profile.subarray(start, start + profile.readUInt32BE(at + 8));
    tags.set(profile.toString("latin1", at, at + 4), tag);
  }
  return tags;
}

/** The value of a curve at 0.5. NaN for an unknown kind of curve. */
function middleOf(curve: Buffer): number {
  const kind = curve.toString("latin1", 0, 4);
  if (kind === "curv" && curve.length >= 12) {
    const count = curve.readUInt32BE(8);
    if (count === 0) return 0.5;
    if (count === 1) return 0.5 ** (curve.readUInt16BE(12) / 256);
    const at = 12 + 2 * Math.round((count - 1) / 2);
    return at + 2 <= curve.length ? curve.readUInt16BE(at) / 65535 : Number.NaN;
  }
  if (kind === "para" && curve.length >= 16) {
    const parameter = (index: number) => curve.readInt32BE(12 + 4 * index) / 65536;
    if (curve.readUInt16BE(8) === 0) return 0.5 ** parameter(0);
    return (parameter(1) * 0.5 + parameter(2)) ** parameter(0);
  }
  return Number.NaN;
}
