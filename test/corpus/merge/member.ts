import type { ManifestEntry } from "../manifest.ts";
import type { PageRange } from "../split/contestant.ts";

/** A document to merge. */
export interface Member {
  readonly entry: ManifestEntry;
  readonly path: string;
  /** The title of its outline entry. */
  readonly title: string;
  readonly password: string | undefined;
  /** Undefined for all pages. */
  readonly range: PageRange | undefined;
}

/** The pages as qpdf and Stayput write them. */
export function pagesText({ range }: Member): string | undefined {
  return range && `${range.first}-${range.last}`;
}

/** The indices of the pages of a member, counted from 0. */
export function indicesOf({ range }: Pick<Member, "range">, pageCount: number): readonly number[] {
  const { first, last } = range ?? { first: 1, last: pageCount };
  return Array.from({ length: last - first + 1 }, (_, index) => first - 1 + index);
}
