/** Returns so many of the items at even distances, with the first. They are the same for the same list. */
export function spread<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (count >= items.length) return items;
  return items.filter(
    (_, index) =>
      Math.floor((index * count) / items.length) !== Math.floor(((index - 1) * count) / items.length),
  );
}

/**
 * Returns a sample of the items by {@link spread}, and says so in the output.
 *
 * @param size more than there are for all
 * @param what the items are, in the plural
 */
export function takeSample<Item>(items: readonly Item[], size: number, what: string): readonly Item[] {
  const sample = spread(items, size);
  if (sample.length < items.length) console.log(`a sample: ${sample.length} of ${items.length} ${what}`);
  return sample;
}
