import type { Metadata } from "../metadata.ts";

const NOTE = /xmpNote:HasExtendedXMP(?:=["']|>)\s*([0-9A-Fa-f]{32})\s*(?:["']|<\/xmpNote:HasExtendedXMP>)/;
const NOTE_ELEMENT = /<xmpNote:HasExtendedXMP>[^<]*<\/xmpNote:HasExtendedXMP>/;
const NOTE_ATTRIBUTE = /\s+xmpNote:HasExtendedXMP=(?:"[^"]*"|'[^']*')/;
const RDF = /<rdf:RDF\b([^>]*)>([\s\S]*)<\/rdf:RDF>/;
const NAMESPACES = /\sxmlns:([\w.-]+)=("[^"]*"|'[^']*')/g;

/** By what name a packet speaks of its extension (XMP 3, 1.1.3.1); undefined when it does not. */
export function extensionName(xmp: Uint8Array): string | undefined {
  return NOTE.exec(new TextDecoder().decode(xmp))?.[1];
}

/**
 * All XMP as one packet, for files that can hold one of any length. An extension that cannot be put in, or that the
 * packet does not speak of, is left out.
 */
export function wholeXmp({ xmp, extendedXmp }: Metadata): Uint8Array | undefined {
  if (xmp === undefined || extendedXmp === undefined || extensionName(xmp) === undefined) return xmp;
  const text = new TextDecoder().decode(xmp);
  const extension = new TextDecoder().decode(extendedXmp);
  const [, ownAttributes = "", ownContent = ""] = RDF.exec(text) ?? [];
  const [, , content] = RDF.exec(extension) ?? [];
  const [before] = extension.split(content ?? "", 1);
  const names = namespacesOf(ownAttributes);
  const missing: string[] = [];
  for (const [prefix, uri] of namespacesOf(before ?? "")) {
    const own = names.get(prefix);
    if (own !== undefined && own.slice(1, -1) !== uri.slice(1, -1)) return xmp;
    if (own === undefined) missing.push(` xmlns:${prefix}=${uri}`);
  }
  if (content === undefined || ownContent === "") return xmp;
  const rest = ownContent.replace(NOTE_ELEMENT, "").replace(NOTE_ATTRIBUTE, "");
  const whole = `<rdf:RDF${ownAttributes}${missing.join("")}>${rest}${content}</rdf:RDF>`;
  return new TextEncoder().encode(text.replace(RDF, () => whole));
}

function namespacesOf(tags: string): ReadonlyMap<string, string> {
  return new Map([...tags.matchAll(NAMESPACES)].map(([, prefix = "", uri = ""]) => [prefix, uri]));
}
