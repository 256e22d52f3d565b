import { type Feature, type PagesOf, writtenOut } from "./feature.ts";

/** What the catalog says of the document as a whole. */
function entryOf(name: string, key: string): Feature {
  return {
    name,
    fate: "kept",
    facts: (pages) => {
      const value = pages.document.catalog[key];
      return value === undefined ? [] : [writtenOut(pages, value)];
    },
  };
}

const title: Feature = {
  name: "title and author",
  fate: "kept",
  facts(pages) {
    const info = pages.document.dict(pages.document.trailer["/Info"]);
    return ["/Title", "/Author", "/Subject", "/Keywords"].flatMap((key) => {
      const value = pages.document.resolve(info[key]);
      return value === null ? [] : [`${key} ${value}`];
    });
  },
};

/** Pictures of pages in the metadata are not to travel. */
const THUMBNAILS = /<([\w.-]+:)?Thumbnails[\s>].*?<\/\1Thumbnails\s*>/gs;

const metadata: Feature = {
  name: "XMP metadata",
  fate: "kept",
  facts(pages) {
    const stream = pages.document.stream(pages.document.catalog["/Metadata"]);
    if (!stream) return [];
    return [Buffer.from(stream.data, "base64").toString("utf8").replace(THUMBNAILS, "")];
  },
};

/** What lies on a page beside links, form fields and what is printed on it. */
const annotations: Feature = {
  name: "annotations",
  fate: "kept",
  facts: (pages) => pages.pages.flatMap((page, position) => annotationsOf(pages, page, position)),
};

function annotationsOf(pages: PagesOf, page: string, position: number): readonly string[] {
  const { document } = pages;
  const listed = document.list(document.dict(page)["/Annots"]);
  return listed.flatMap((annotation) => {
    const dict = document.dict(annotation);
    const subtype = dict["/Subtype"];
    if (subtype === undefined || subtype === "/Link" || subtype === "/Widget") return [];
    const own = ["/Rect", "/Contents", "/T", "/NM", "/C", "/F", "/QuadPoints", "/InkList", "/L"];
    const said = own.map((key) => writtenOut(pages, dict[key])).join(" ");
    const appearance = document.dict(dict["/AP"])["/N"];
    const drawn = writtenOut(pages, appearance, ["/Resources"]);
    const related = ["/Popup", "/IRT"].map((key) => listed.indexOf(dict[key] ?? "")).join(" ");
    return [`page ${position} ${subtype} ${said} ${drawn} ${related}`];
  });
}

/** What is said of the document as a whole, and on its pages. */
export const CATALOG: readonly Feature[] = [
  annotations,
  entryOf("output intents", "/OutputIntents"),
  entryOf("language", "/Lang"),
  entryOf("viewer preferences", "/ViewerPreferences"),
  entryOf("page layout", "/PageLayout"),
  title,
  metadata,
];
