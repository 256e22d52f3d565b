import { type DescribedDocument, digestOf, isDict, isReference, type Value } from "./described-document.ts";

/** So short data may be the same by chance. */
const SHORTEST = 12;

/** What is said of a stream by its data alone. */
type Digests = ReadonlySet<string>;

/** The streams that pages reach, other pages and the structure tree left aside, as digests of their data. */
function reached(
  document: DescribedDocument,
  pages: readonly string[],
  ignored: ReadonlySet<string>,
): Digests {
  const digests = new Set<string>();
  const seen = new Set<string>();
  const next: Value[] = [];
  for (const page of pages) {
    seen.add(page);
    next.push(document.dict(page), document.inherited(page, "/Resources"));
  }
  for (let part = next.pop(); part !== undefined; part = next.pop()) {
    if (isReference(part)) {
      if (seen.has(part)) continue;
      seen.add(part);
      const type = document.dict(part)["/Type"];
      if (type === "/Page" || type === "/Pages" || type === "/StructElem" || type === "/Catalog") continue;
      const stream = document.stream(part);
      if (stream && stream.data.length > SHORTEST) digests.add(digestOf(stream.data));
      next.push(document.resolve(part));
    } else if (Array.isArray(part)) next.push(...part);
    else if (isDict(part)) {
      for (const [key, value] of Object.entries(part)) if (!ignored.has(key)) next.push(value);
    }
  }
  return digests;
}

const UPWARDS = new Set(["/Parent", "/P", "/B", "/Dest", "/A", "/AA", "/Popup", "/IRT"]);

/**
 * The streams that belong to pages which are not kept, and to nothing that is: the kept pages as native qpdf takes
 * them out, unused resources removed, say what is theirs.
 */
export function streamsLeftBehind(
  source: DescribedDocument,
  kept: readonly number[],
  native: DescribedDocument,
): Digests {
  const others = source.pages.filter((_, index) => !kept.includes(index));
  const theirs = reached(native, native.pages, UPWARDS);
  const elsewhere = streamsBeside(source);
  return new Set(
    [...reached(source, others, UPWARDS)].filter((digest) => !theirs.has(digest) && !elsewhere.has(digest)),
  );
}

/** What the document as a whole has: its metadata, its output intents, the form's resources. */
function streamsBeside(source: DescribedDocument): Digests {
  const { catalog } = source;
  const digests = new Set<string>();
  const next: Value[] = [catalog["/Metadata"] ?? null, catalog["/OutputIntents"] ?? null];
  next.push(source.dict(catalog["/AcroForm"])["/DR"] ?? null);
  const seen = new Set<string>();
  for (let part = next.pop(); part !== undefined; part = next.pop()) {
    if (isReference(part)) {
      if (seen.has(part)) continue;
      seen.add(part);
      const stream = source.stream(part);
      if (stream) digests.add(digestOf(stream.data));
      next.push(source.resolve(part));
    } else if (Array.isArray(part)) next.push(...part);
    else if (isDict(part)) next.push(...Object.values(part));
  }
  return digests;
}

/** How many of the streams a document holds, whether anything leads to them or not. */
export function countHeld(document: DescribedDocument, digests: Digests): number {
  return [...document.streams()].filter(([, { data }]) => digests.has(digestOf(data))).length;
}

/** The fonts, pictures and forms that pages name, each as page and name. */
export function resourceNames(document: DescribedDocument): ReadonlySet<string> {
  const names = document.pages.flatMap((page, position) => {
    const resources = document.dict(document.inherited(page, "/Resources"));
    return ["/Font", "/XObject"].flatMap((kind) =>
      Object.keys(document.dict(resources[kind])).map((name) => `page ${position} ${kind} ${name}`),
    );
  });
  return new Set(names);
}
