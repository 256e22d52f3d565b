import type { PdfRef } from "../syntax/objects.ts";
import type { DocumentPart } from "./document-part.ts";
import type { OutputDocument } from "./output-document.ts";
import type { Readable, SourceDocument } from "./source-document.ts";

/** What one of several documents gives to an output. */
export interface Contribution<Kept> {
  readonly title: string;
  /** The pages of the document in the output. */
  readonly pages: readonly PdfRef[];
  readonly kept: Kept | undefined;
  /** Whether these are further copies of pages. The document has come before. */
  readonly isRepeat: boolean;
}

/** What documents have beside their pages. All features have this shape. */
interface FeatureShape<Found, Kept> {
  /** Returns what the document has. Called once for each document. */
  read(source: SourceDocument): Found;
  /** Copies what belongs to the pages of a part. Returns it as the output has it; undefined for nothing. */
  keep(found: Found, part: DocumentPart): Kept | undefined | Promise<Kept | undefined>;
  /** Returns what a merged document has of what its documents have; undefined for nothing. */
  combine(documents: readonly Contribution<Kept>[], output: OutputDocument): Kept | undefined;
  /** Writes it into the catalog of the output, or into the trailer. */
  write(kept: Kept, output: OutputDocument): void;
}

/** A feature in one output. */
export interface FeatureOfOutput {
  /** Copies what belongs to the pages of a part. */
  add(part: DocumentPart, document: Pick<Contribution<unknown>, "title" | "pages">): Promise<void>;
  /** Writes what all parts have. */
  end(output: OutputDocument): void;
}

/** A feature as a row of a table, which need not know what it copies. */
export interface Feature<Found> extends Readable<Found> {
  begin(): FeatureOfOutput;
}

/** Makes a row of a table of a feature. */
export function feature<Found, Kept>(shape: FeatureShape<Found, Kept>): Feature<Found> {
  const row: Feature<Found> = {
    read: (source) => shape.read(source),
    begin: () => {
      const documents: Contribution<Kept>[] = [];
      return {
        add: async (part, { title, pages }) => {
          const kept = await shape.keep(part.source.of(row), part);
          documents.push({ title, pages, kept, isRepeat: part.pages.isRepeat });
        },
        end: (output) => {
          const kept = output.names.isMerge ? shape.combine(documents, output) : documents[0]?.kept;
          if (kept !== undefined) shape.write(kept, output);
        },
      };
    },
  };
  return row;
}

/** Returns what documents have kept, in their order. */
export function keptOf<Kept>(documents: readonly Contribution<Kept>[]): readonly Kept[] {
  return documents.flatMap(({ kept }) => (kept === undefined ? [] : [kept]));
}
