import type { PdfDict, PdfObject } from "../syntax/objects.ts";
import { feature, keptOf } from "./feature.ts";
import { nameTree, nameTreeEntries } from "./sorted-trees.ts";

/** The files of a document (ISO 32000-2, 7.11.4). */
interface Attachments {
  readonly named: readonly (readonly [name: string, file: PdfObject])[];
  /** The files that are associated with the document (ISO 32000-2, 14.13). */
  readonly associated: readonly PdfObject[];
  /** How readers list the files (ISO 32000-2, 12.3.5). */
  readonly collection: PdfDict | undefined;
  /** Whether the output has all files of the document. */
  readonly isComplete: boolean;
}

/**
 * The files that are attached to a document as a whole. A merged document gets those of documents of which it gets all
 * pages. Those of pages are annotations, and come along with them. It has the first collection, if no document loses files.
 */
export const attachments = feature<PdfDict | undefined, Attachments>({
  read: ({ document }) => document.catalog,
  keep(catalog, part) {
    if (part.pages.isRepeat) return undefined;
    const { names } = part.output;
    const named = [...nameTreeEntries(catalog?.dict("Names")?.get("EmbeddedFiles"))];
    if (!part.standsForDocument)
      return { named: [], associated: [], collection: undefined, isComplete: named.length === 0 };
    const collection = catalog?.dict("Collection")?.clone();
    // The file to show first.
    if (collection?.has("D")) collection.set("D", names.renamed("attachment", collection.value("D")));
    return {
      collection: collection && part.map(collection, "other"),
      isComplete: true,
      named: named.map(([name, file]) => [names.of("attachment", name), part.map(file, "other")]),
      associated: catalog?.array("AF").map((file) => part.map(file, "other")) ?? [],
    };
  },
  combine(documents) {
    const all = keptOf(documents);
    return {
      named: all.flatMap(({ named }) => named),
      associated: all.flatMap(({ associated }) => associated),
      collection: all.find(({ collection }) => collection !== undefined)?.collection,
      isComplete: all.every(({ isComplete }) => isComplete),
    };
  },
  write({ named, associated, collection, isComplete }, output) {
    if (collection && isComplete) output.catalog.set("Collection", collection);
    const files = associated.filter((file) => file !== null);
    if (files.length > 0) output.catalog.set("AF", files);
    if (named.length > 0) output.addNames("EmbeddedFiles", nameTree(named));
  },
});
