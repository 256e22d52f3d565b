import { type Matrix, srgbOfLight, type TransferCurve } from "./rgb-spaces.ts";

/** How values of high dynamic range (ITU-R BT.2100) become sRGB. */
export interface ToneMapping {
  readonly transfer: "PQ" | "HLG";
  /** From linear light in the primaries of the file to that of sRGB. */
  readonly matrix: Matrix;
}

/** The luminance of diffuse white, in cd/m² (ITU-R BT.2408). Linear light is relative to it. */
const REFERENCE_WHITE = 203;
/** The peak luminance of HLG, and the default for PQ. */
const PEAK = 1000;
const HEADROOM = PEAK / REFERENCE_WHITE;

/** The luminance of red, green and blue (ITU-R BT.2100, table 5). */
const LUMA = [0.2627, 0.678, 0.0593] as const;
/** The system gamma of HLG for a display of {@link PEAK} (ITU-R BT.2100, table 5), less 1. */
const HLG_GAMMA = 0.2;

const VALUES = 256;
/** Steps of the table of sRGB. The darkest step of sRGB with 8 bits is ten of them. */
const FULL_LIGHT = 32_767;

/**
 * Returns a function that maps pixels of high dynamic range to sRGB, in place. The result looks as in Chromium on a display
 * of standard dynamic range: see docs/decisions/high-dynamic-range.md.
 */
export function toneMapper({ transfer, matrix }: ToneMapping): (pixels: Uint8ClampedArray) => void {
  const curve = transfer === "PQ" ? pqLight : hlgLight;
  const light = Float64Array.from({ length: VALUES }, (_, value) => curve(value / 255));
  const srgb = Uint8Array.from({ length: FULL_LIGHT + 1 }, (_, step) =>
    Math.round(srgbOfLight(step / FULL_LIGHT) * 255),
  );
  const encode = (linear: number) => srgb[Math.round(Math.min(1, Math.max(0, linear)) * FULL_LIGHT)] ?? 0;
  const displayGain = transfer === "PQ" ? () => 1 : tabulatedHlgGain();
  const [toRed, toGreen, toBlue] = matrix;
  return (pixels) => {
    for (let at = 0; at < pixels.length; at += 4) {
      const r = light[pixels[at] ?? 0] ?? 0;
      const g = light[pixels[at + 1] ?? 0] ?? 0;
      const b = light[pixels[at + 2] ?? 0] ?? 0;
      const display = displayGain(LUMA[0] * r + LUMA[1] * g + LUMA[2] * b);
      const gain = display * toneGain(Math.max(r, g, b) * display);
      pixels[at] = encode((toRed[0] * r + toRed[1] * g + toRed[2] * b) * gain);
      pixels[at + 1] = encode((toGreen[0] * r + toGreen[1] * g + toGreen[2] * b) * gain);
      pixels[at + 2] = encode((toBlue[0] * r + toBlue[1] * g + toBlue[2] * b) * gain);
    }
  };
}

/** Returns the light of a display for a value of PQ (ITU-R BT.2100, table 4). 1 is reference white. */
const pqLight: TransferCurve = (value) => {
  const [m1, m2] = [2610 / 16_384, (2523 / 4096) * 128];
  const [c1, c2, c3] = [3424 / 4096, (2413 / 4096) * 32, (2392 / 4096) * 32];
  const power = value ** (1 / m2);
  return (10_000 / REFERENCE_WHITE) * (Math.max(0, power - c1) / (c2 - c3 * power)) ** (1 / m1);
};

/** Returns the light of a scene for a value of HLG, from 0 to 1 (ITU-R BT.2100, table 5). */
const hlgLight: TransferCurve = (value) => {
  const a = 0.17883277;
  const b = 1 - 4 * a;
  const c = 0.5 - a * Math.log(4 * a);
  return value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - c) / a) + b) / 12;
};

/**
 * Returns how much stronger the light of a display is than that of the scene, by the luminance of the scene (the OOTF of
 * HLG). A table, because powers take 3 s for 12 megapixels.
 */
function tabulatedHlgGain(): (luminance: number) => number {
  // The roots of luminance are spaced like the values that eyes distinguish.
  const steps = 4096;
  const gains = Float64Array.from(
    { length: steps + 1 },
    (_, root) => HEADROOM * (root / steps) ** (2 * HLG_GAMMA),
  );
  return (luminance) => gains[Math.round(Math.sqrt(luminance) * steps)] ?? HEADROOM;
}

/** The end of the straight part of the curve: reference white becomes half of the light of sRGB's white. */
const KNEE = { from: 1, to: 0.5 };
/** The point that bends the curve from there to the peak, which becomes white. */
const BEND = 0.65;
const MIDDLE = {
  from: KNEE.from + BEND * (KNEE.from / KNEE.to - KNEE.from),
  to: KNEE.to + BEND * (1 - KNEE.to),
};

/**
 * Returns the factor for a pixel by its brightest component (SMPTE ST 2094-50, reference white tone mapping, for a display
 * without headroom): a straight line to reference white, then a quadratic Bézier curve to the peak.
 */
function toneGain(brightest: number): number {
  if (brightest <= KNEE.from) return KNEE.to / KNEE.from;
  if (brightest >= HEADROOM) return 1 / brightest;
  const a = KNEE.from - 2 * MIDDLE.from + HEADROOM;
  const b = MIDDLE.from - KNEE.from;
  const t = (Math.sqrt(b * b - a * (KNEE.from - brightest)) - b) / a;
  return ((1 - t) ** 2 * KNEE.to + 2 * t * (1 - t) * MIDDLE.to + t * t) / brightest;
}
