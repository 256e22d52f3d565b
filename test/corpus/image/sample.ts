import { dirname } from "node:path";
import type { ManifestEntry } from "../manifest.ts";

/**
 * A sample of `size` images, the same for the same list: equally many from each folder, at even distances, with the
 * first of each folder.
 */
export function sampleOf(entries: readonly ManifestEntry[], size: number): readonly ManifestEntry[] {
  const folders = new Map<string, ManifestEntry[]>();
  for (const entry of entries) {
    const folder = dirname(entry.file);
    folders.set(folder, [...(folders.get(folder) ?? []), entry]);
  }
  const share = Math.max(1, Math.round(size / Math.max(1, folders.size)));
  return [...folders.values()].flatMap((members) => {
    const step = Math.max(1, Math.floor(members.length / share));
    return members.filter((_, index) => index % step === 0).slice(0, share);
  });
}
