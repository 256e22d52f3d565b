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

/** The properties that are to travel, by namespace. */
const KEPT_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  "http://purl.org/dc/elements/1.1/": ["title", "creator", "subject", "description", "language"],
  "http://ns.adobe.com/xap/1.0/": ["CreateDate", "ModifyDate", "MetadataDate", "CreatorTool"],
  "http://ns.adobe.com/pdf/1.3/": ["Producer", "Keywords", "Trapped"],
  "http://www.aiim.org/pdfa/ns/id/": ["part", "conformance"],
  "http://www.aiim.org/pdfua/ns/id/": ["part"],
};

/** The properties of a packet as they stand in its text: found by patterns, with no reader of XML in common with ours. */
const metadata: Feature = {
  name: "XMP metadata",
  fate: "kept",
  facts(pages) {
    const stream = pages.document.stream(pages.document.catalog["/Metadata"]);
    if (!stream) return [];
    const data = Buffer.from(stream.data, "base64");
    const isWide = data[0] === 0 || data[0] === 0xfe;
    const text = isWide ? new TextDecoder("utf-16be").decode(data) : data.toString("utf8");
    return Object.entries(KEPT_PROPERTIES).flatMap(([space, names]) => {
      const declarations = [...text.matchAll(/xmlns:([\w.-]+)\s*=\s*["']([^"']*)["']/g)];
      const prefix = declarations.find((declaration) => declaration[2] === space)?.[1];
      return names.flatMap((name) => {
        const pattern = new RegExp(
          `<${prefix}:${name}(?:\\s[^>]*)?(?<!/)>(.*?)</${prefix}:${name}\\s*>|\\s${prefix}:${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`,
          "s",
        );
        const found = prefix === undefined ? undefined : pattern.exec(text)?.slice(1).join("");
        const value = found
          ?.replace(/<[^>]*>/g, " ")
          .replace(/&(?:quot|#34|#x22);/gi, '"')
          .replace(/&(?:apos|#39|#x27);/gi, "'")
          .replace(/&gt;/g, ">")
          .replace(/\s+/g, " ")
          .trim();
        return value ? [`${space}${name} = ${value}`] : [];
      });
    });
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
