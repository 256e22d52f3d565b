import type { CodingTables } from "../../../../codecs/jpeg/coding-tables.ts";

/** What is encoded at the top of a picture: intervals, by their first strips. */
export interface EncodedTop {
  readonly tables: CodingTables;
  readonly intervals: ReadonlyMap<number, Uint8Array<ArrayBuffer>>;
}

/** The top of a picture that is being encoded. */
export interface BegunTop {
  readonly quality: number;
  /** Ends it: what is done is done. Nothing where it could not be. */
  end(): Promise<EncodedTop | undefined>;
}
