import { laterVersion } from "../file/file-writer.ts";
import { latin1 } from "../syntax/characters.ts";
import { PdfDict, PdfName, type PdfString } from "../syntax/objects.ts";
import type { DocumentPart } from "./document-part.ts";
import { type Contribution, feature, keptOf } from "./feature.ts";

/** The version of a merged document, unless a document has a later one. */
export const MERGED_VERSION = "1.7";

/** Entries of the catalog that are copied as they are. */
type Entries = PdfDict;

/** The version that a document uses (ISO 32000-2, 7.7.2). A merged document has the latest one. */
export const version = feature<string, { readonly latest: string; readonly entries: Entries }>({
  read({ document }) {
    const declared = document.catalog?.name("Version") ?? "";
    return /^\d\.\d$/.test(declared) ? laterVersion(document.version, declared) : document.version;
  },
  keep: (latest, part) => ({ latest, entries: entriesOf(part, ["Version", "Extensions"]) }),
  combine(documents) {
    const latest = keptOf(documents).reduce((last, kept) => laterVersion(last, kept.latest), MERGED_VERSION);
    if (latest === MERGED_VERSION) return undefined;
    return { latest, entries: PdfDict.from([["Version", PdfName.of(latest)]]) };
  },
  write: ({ entries }, { catalog }) => addTo(catalog, entries),
});

/** The language of the text (ISO 32000-2, 14.9.2). A merged document has that of all its documents. */
export const language = feature<PdfString | undefined, PdfString>({
  read: ({ document }) => document.catalog?.string("Lang"),
  keep: (found) => found,
  combine(documents) {
    const [first] = documents;
    const textOf = ({ kept }: Contribution<PdfString>) => kept && latin1(kept.bytes);
    return first && documents.every((other) => textOf(other) === textOf(first)) ? first.kept : undefined;
  },
  write: (kept, { catalog }) => catalog.set("Lang", kept),
});

/** The base of relative addresses (ISO 32000-2, 12.6.4.8). In a merged document, all addresses are whole. */
export const baseAddress = feature<undefined, Entries>({
  read: () => undefined,
  keep: (_, part) => entriesOf(part, ["URI"]),
  combine: () => undefined,
  write: (entries, { catalog }) => addTo(catalog, entries),
});

/** How a reader shows the document (ISO 32000-2, 12.2). A merged document is shown as its first document. */
export const viewing = feature<undefined, Entries>({
  read: () => undefined,
  keep(_, part) {
    const entries = entriesOf(part, ["PageLayout", "PageMode"]);
    const preferences = part.document.catalog?.dict("ViewerPreferences")?.clone();
    // It holds page numbers of the input.
    preferences?.delete("PrintPageRange");
    const mapped = preferences && part.map(preferences, "other");
    if (mapped) entries.set("ViewerPreferences", mapped);
    return entries;
  },
  combine: ([first]) => first?.kept,
  write(entries, { catalog }) {
    addTo(catalog, entries);
    // The panel of attachments would be empty. The panel of the outline may be.
    const mode = entries.name("PageMode") ?? "";
    const isEmpty = mode === "UseOutlines" && !catalog.has("Outlines");
    if (mode === "" || mode === "UseAttachments" || isEmpty) catalog.delete("PageMode");
  },
});

function entriesOf(part: DocumentPart, keys: readonly string[]): Entries {
  const entries = new PdfDict();
  for (const key of keys) {
    const value = part.map(part.document.catalog?.value(key) ?? null, "other");
    if (value !== null) entries.set(key, value);
  }
  return entries;
}

function addTo(catalog: PdfDict, entries: Entries): void {
  for (const [key, value] of entries.entries()) catalog.set(key, value);
}
