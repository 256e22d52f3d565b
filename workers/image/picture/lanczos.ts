/** Windows of three lobes, the default of libvips. */
const LOBES = 3;
const WEIGHT_BITS = 14;

/** The weights for each place of the result, along one axis. */
export interface Filter {
  /** The number of weights for each place. */
  readonly taps: number;
  /** The first sample for each place. */
  readonly starts: Int32Array;
  /** `taps` weights for each place, with 14 bits after the point. Their sum is 1. */
  readonly weights: Int16Array;
}

/**
 * Returns a Lanczos filter that scales down.
 *
 * @param tapMultiple `taps` is a multiple of this. Weights of zero fill it up
 */
export function lanczosFilter(from: number, to: number, tapMultiple: number): Filter {
  const factor = from / to;
  const reach = LOBES * factor;
  // The weight at the reach itself is zero.
  const samples = Math.min(from, Math.ceil(2 * reach));
  const taps = tapMultiple * Math.ceil(samples / tapMultiple);
  const starts = new Int32Array(to);
  const weights = new Int16Array(to * taps);
  for (let place = 0; place < to; place++) {
    const center = (place + 0.5) * factor - 0.5;
    const first = Math.floor(center - reach) + 1;
    const last = Math.ceil(center + reach) - 1;
    const start = Math.max(0, Math.min(from - samples, first));
    const exact = new Float64Array(samples);
    let sum = 0;
    for (let sample = first; sample <= last; sample++) {
      const weight = lanczos((sample - center) / factor);
      // Beyond an edge, the sample at the edge is repeated.
      const tap = Math.max(0, Math.min(from - 1, sample)) - start;
      exact[tap] = (exact[tap] ?? 0) + weight;
      sum += weight;
    }
    starts[place] = start;
    // Rounding errors carry over to the next weight. Otherwise they would make an even area darker or brighter.
    let exactSum = 0;
    let roundedSum = 0;
    for (const [tap, weight] of exact.entries()) {
      exactSum += (weight / sum) * 2 ** WEIGHT_BITS;
      const rounded = Math.round(exactSum) - roundedSum;
      weights[place * taps + tap] = rounded;
      roundedSum += rounded;
    }
  }
  return { taps, starts, weights };
}

function lanczos(x: number): number {
  if (x === 0) return 1;
  if (Math.abs(x) >= LOBES) return 0;
  const angle = Math.PI * x;
  return (LOBES * Math.sin(angle) * Math.sin(angle / LOBES)) / (angle * angle);
}
