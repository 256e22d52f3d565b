import type { Metadata } from "./metadata.ts";

const NOTE = /xmpNote:HasExtendedXMP(?:=["']|>)\s*([0-9A-Fa-f]{32})\s*(?:["']|<\/xmpNote:HasExtendedXMP>)/;
const NOTE_ELEMENT = /<xmpNote:HasExtendedXMP>[^<]*<\/xmpNote:HasExtendedXMP>/;
const NOTE_ATTRIBUTE = /\sxmpNote:HasExtendedXMP=(?:"[^"]*"|'[^']*')/;
const RDF_START = /<rdf:RDF\b/;
const RDF_END = "</rdf:RDF>";
const NAMESPACES = /\sxmlns:([\w.-]+)=("[^"]*"|'[^']*')/g;

/** Returns the name by which a packet refers to its extension (XMP 3, 1.1.3.1), or `undefined`. */
export function extensionName(xmp: Uint8Array): string | undefined {
  return NOTE.exec(new TextDecoder().decode(xmp))?.[1];
}

/**
 * Returns all XMP as one packet, for files without a limit of length. Leaves out an extension that cannot be inserted,
 * or that the packet does not refer to.
 */
export function wholeXmp({ xmp, extendedXmp }: Metadata): Uint8Array | undefined {
  if (xmp === undefined || extendedXmp === undefined || extensionName(xmp) === undefined) return xmp;
  const text = new TextDecoder().decode(xmp);
  const extension = new TextDecoder().decode(extendedXmp);
  const own = rdfOf(text);
  const more = rdfOf(extension);
  if (own === undefined || more === undefined) return xmp;
  const names = namespacesOf(own.before + own.tag);
  const missing: string[] = [];
  for (const [prefix, uri] of namespacesOf(more.before + more.tag)) {
    const known = names.get(prefix);
    if (known !== undefined && known.slice(1, -1) !== uri.slice(1, -1)) return xmp;
    if (known === undefined) missing.push(` xmlns:${prefix}=${uri}`);
  }
  const rest = own.content.replace(NOTE_ELEMENT, "").replace(NOTE_ATTRIBUTE, "");
  const tag = `${own.tag}${missing.join("")}>`;
  return new TextEncoder().encode(`${own.before}${tag}${rest}${more.content}${own.behind}`);
}

/** The parts of a packet. */
interface Rdf {
  readonly before: string;
  /** The start tag of the RDF, without its last character. */
  readonly tag: string;
  readonly content: string;
  readonly behind: string;
}

/** Searches in steps. One regular expression would search the whole packet again for each start tag without an end. */
function rdfOf(text: string): Rdf | undefined {
  const start = text.search(RDF_START);
  const tagEnd = start < 0 ? -1 : text.indexOf(">", start);
  const end = text.lastIndexOf(RDF_END);
  if (tagEnd < 0 || end <= tagEnd) return undefined;
  return {
    before: text.slice(0, start),
    tag: text.slice(start, tagEnd),
    content: text.slice(tagEnd + 1, end),
    behind: text.slice(end),
  };
}

function namespacesOf(tags: string): ReadonlyMap<string, string> {
  return new Map([...tags.matchAll(NAMESPACES)].map(([, prefix = "", uri = ""]) => [prefix, uri]));
}
