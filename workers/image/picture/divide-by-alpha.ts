/**
 * Divides premultiplied colors by their alpha, in place. Colors above their alpha become 255. Halves are rounded to even.
 *
 * @param pixels red, green, blue and alpha
 */
export function divideByAlpha(pixels: Uint8ClampedArray): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] as number;
    if (alpha === 0 || alpha === 255) continue;
    for (let color = at; color < at + 3; color++) pixels[color] = ((pixels[color] as number) * 255) / alpha;
  }
}
