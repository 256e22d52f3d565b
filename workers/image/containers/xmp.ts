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
  const own = RDF.exec(text);
  const more = RDF.exec(extension);
  if (own === null || more === null) return xmp;
  const [, ownAttributes = "", ownContent = ""] = own;
  const [, attributes = "", content = ""] = more;
  const names = namespacesOf(text.slice(0, own.index) + ownAttributes);
  const missing: string[] = [];
  for (const [prefix, uri] of namespacesOf(extension.slice(0, more.index) + attributes)) {
    const known = names.get(prefix);
    if (known !== undefined && known.slice(1, -1) !== uri.slice(1, -1)) return xmp;
    if (known === undefined) missing.push(` xmlns:${prefix}=${uri}`);
  }
  const rest = ownContent.replace(NOTE_ELEMENT, "").replace(NOTE_ATTRIBUTE, "");
  const whole = `<rdf:RDF${ownAttributes}${missing.join("")}>${rest}${content}</rdf:RDF>`;
  return new TextEncoder().encode(text.replace(RDF, () => whole));
}

function namespacesOf(tags: string): ReadonlyMap<string, string> {
  return new Map([...tags.matchAll(NAMESPACES)].map(([, prefix = "", uri = ""]) => [prefix, uri]));
}
