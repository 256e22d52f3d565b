import { MalformedXml, xmlEvents } from "./xml-events.ts";

const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
/** The properties that are kept, by namespace: their prefix in the output, and their names. */
const KEPT = new Map<string, { readonly prefix: string; readonly names: readonly string[] }>([
  [
    "http://purl.org/dc/elements/1.1/",
    { prefix: "dc", names: ["title", "creator", "subject", "description", "language"] },
  ],
  [
    "http://ns.adobe.com/xap/1.0/",
    { prefix: "xmp", names: ["CreateDate", "ModifyDate", "MetadataDate", "CreatorTool"] },
  ],
  ["http://ns.adobe.com/pdf/1.3/", { prefix: "pdf", names: ["Producer", "Keywords", "Trapped"] }],
  [
    "http://www.aiim.org/pdfa/ns/id/",
    { prefix: "pdfaid", names: ["part", "conformance", "amd", "corr", "rev"] },
  ],
  ["http://www.aiim.org/pdfua/ns/id/", { prefix: "pdfuaid", names: ["part", "amd", "corr", "rev"] }],
  ["http://ns.adobe.com/pdfx/1.3/", { prefix: "pdfx", names: ["GTS_PDFXVersion", "GTS_PDFXConformance"] }],
  ["http://www.npes.org/pdfx/ns/id/", { prefix: "pdfxid", names: ["GTS_PDFXVersion"] }],
  ["http://www.npes.org/pdfvt/ns/id/", { prefix: "pdfvtid", names: ["GTS_PDFVTVersion"] }],
  ["http://www.aiim.org/pdfe/ns/id/", { prefix: "pdfe", names: ["ISO_PDFEVersion"] }],
]);
const LISTS = ["Alt", "Bag", "Seq"];

/** A property: one text, or a list of texts. */
interface Property {
  readonly prefix: string;
  readonly name: string;
  list: string | undefined;
  readonly texts: { text: string; readonly language: string | undefined }[];
}

interface Element {
  /** The expanded name: the namespace and the local name. */
  readonly space: string;
  readonly name: string;
  /** The attributes of the element, which include its namespace declarations. */
  readonly declared: ReadonlyMap<string, string>;
}

/**
 * Returns a packet of XMP (ISO 16684-1) with only the kept properties of the given packet: title, author,
 * subject, keywords, language, dates, programs, and conformance to PDF/A, PDF/UA, PDF/X, PDF/VT and PDF/E.
 * Returns undefined when the packet has none of them or is not well-formed.
 */
export function keptXmp(packet: Uint8Array): string | undefined {
  try {
    const properties = propertiesOf(textOf(packet));
    return properties.length > 0 ? written(properties) : undefined;
  } catch (error) {
    if (error instanceof MalformedXml) return undefined;
    throw error;
  }
}

/** Returns a packet of XMP with a title, in no particular language. */
export function xmpOfTitle(title: string): string {
  const texts = [{ text: title, language: "x-default" }];
  return written([{ prefix: "dc", name: "title", list: "Alt", texts }]);
}

/** Decodes a packet as UTF-8 or UTF-16, depending on its first bytes. */
function textOf(packet: Uint8Array): string {
  const [first, second] = packet;
  const isBig = (first === 0xfe && second === 0xff) || first === 0;
  const isLittle = (first === 0xff && second === 0xfe) || second === 0;
  return new TextDecoder(isBig ? "utf-16be" : isLittle ? "utf-16le" : "utf-8").decode(packet);
}

/** Returns the properties that are kept. The first one counts when a property is there twice. */
function propertiesOf(xml: string): Property[] {
  const found = new Map<string, Property>();
  const open: Element[] = [];
  /** The property that is being read. `depth` is the number of open elements, the property included. */
  let current: Property | undefined;
  let depth = 0;
  const begin = (space: string, name: string): Property | undefined => {
    const kept = KEPT.get(space);
    if (!kept?.names.includes(name)) return undefined;
    const key = `${kept.prefix}:${name}`;
    const property = { prefix: kept.prefix, name, list: undefined, texts: [] };
    if (!found.has(key)) found.set(key, property);
    return property;
  };
  for (const event of xmlEvents(xml)) {
    if (event.kind === "text") {
      const last = current?.texts.at(-1);
      const isOwn = current?.list
        ? open.length === depth + 2 && open.at(-1)?.name === "li"
        : open.length === depth;
      if (last && isOwn) last.text += event.text;
      continue;
    }
    if (event.kind === "close") {
      open.pop();
      if (current && open.length < depth) current = undefined;
      continue;
    }
    const parent = open.at(-1);
    open.push({ space: "", name: "", declared: event.attributes });
    const element = { ...expanded(event.name, open, true), declared: event.attributes };
    open[open.length - 1] = element;
    if (current) {
      if (element.space !== RDF) continue;
      if (open.length === depth + 1 && LISTS.includes(element.name)) {
        current.list = element.name;
        current.texts.length = 0;
      } else if (open.length === depth + 2 && element.name === "li" && current.list) {
        current.texts.push({ text: "", language: event.attributes.get("xml:lang") });
      }
    } else if (parent?.space === RDF && parent.name === "Description") {
      current = begin(element.space, element.name);
      current?.texts.push({ text: "", language: undefined });
      depth = open.length;
    } else if (element.space === RDF && element.name === "Description") {
      // Simple properties may be written as attributes.
      for (const [key, text] of event.attributes) {
        const { space, name } = expanded(key, open, false);
        begin(space, name)?.texts.push({ text, language: undefined });
      }
    }
  }
  return [...found.values()];
}

/** Returns a name with its namespace. An attribute name without a prefix has no namespace. */
function expanded(name: string, open: readonly Element[], isElement: boolean) {
  const colon = name.indexOf(":");
  if (colon < 0 && !isElement) return { space: "", name };
  const declaration = colon < 0 ? "xmlns" : `xmlns:${name.slice(0, colon)}`;
  const space = open.findLast(({ declared }) => declared.has(declaration))?.declared.get(declaration) ?? "";
  return { space, name: name.slice(colon + 1) };
}

function written(properties: readonly Property[]): string {
  const used = [...KEPT].filter(([, { prefix }]) =>
    properties.some((property) => property.prefix === prefix),
  );
  const spaces = used.map(([space, { prefix }]) => ` xmlns:${prefix}="${space}"`).join("");
  const lines = properties.map(({ prefix, name, list, texts }) => {
    const items = texts.map(({ text, language }) => {
      if (!list) return escaped(text);
      return `<rdf:li${language === undefined ? "" : ` xml:lang="${escaped(language)}"`}>${escaped(text)}</rdf:li>`;
    });
    const value = list ? `<rdf:${list}>${items.join("")}</rdf:${list}>` : items.join("");
    return `<${prefix}:${name}>${value}</${prefix}:${name}>`;
  });
  return [
    '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    `<rdf:RDF xmlns:rdf="${RDF}">`,
    `<rdf:Description rdf:about=""${spaces}>`,
    ...lines,
    "</rdf:Description>",
    "</rdf:RDF>",
    "</x:xmpmeta>",
    '<?xpacket end="w"?>',
  ].join("\n");
}

const ESCAPES = new Map([
  ["<", "&lt;"],
  [">", "&gt;"],
  ["&", "&amp;"],
  ['"', "&quot;"],
]);

function escaped(text: string): string {
  // XML 1.0 has no control characters but tab and line ends, not even as references.
  return text.replace(/[\p{Cc}<>&"]/gu, (character) =>
    /[\t\n\r]/.test(character) ? character : (ESCAPES.get(character) ?? ""),
  );
}
