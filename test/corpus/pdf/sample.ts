import type { ManifestEntry } from "../manifest.ts";
import { spread } from "../sample.ts";

/**
 * A sample of `size` files, always the same for the same list: encrypted ones, ones that qpdf complains of or
 * cannot open and the biggest each have a place, the rest are spread evenly over the list.
 */
export function sampleOf(entries: readonly ManifestEntry[], size: number): readonly ManifestEntry[] {
  const chosen = new Set<ManifestEntry>();
  const take = (candidates: readonly ManifestEntry[], count: number) => {
    const free = candidates.filter((entry) => !chosen.has(entry));
    for (const entry of spread(free, Math.min(count, size - chosen.size))) chosen.add(entry);
  };
  const share = Math.ceil(size / 6);
  const opens = (entry: ManifestEntry) => entry.qpdfPages !== undefined;
  const take6th = (candidates: readonly ManifestEntry[]) => take(candidates, share);
  take6th(entries.filter((entry) => entry.encrypted && opens(entry)));
  take6th(entries.filter((entry) => !opens(entry)));
  take6th(entries.filter((entry) => entry.qpdfCheck === "warnings"));
  take6th([...entries].sort((one, other) => other.bytes - one.bytes).slice(0, share));
  take(entries, size);
  return entries.filter((entry) => chosen.has(entry));
}
