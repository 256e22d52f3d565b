/** An event of an XML text, reduced to the kinds that metadata need. */
type XmlEvent =
  | { readonly kind: "open"; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: "close"; readonly name: string }
  | { readonly kind: "text"; readonly text: string };

/** The most nested elements. */
const DEPTH_LIMIT = 64;
const ATTRIBUTE = /\s+([^\s=<>"'/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const TAG_NAME = /[^\s=<>"'/!?]+/y;
const TAG_END = /\s*(\/?)>/y;
const ENTITIES = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["apos", "'"],
  ["quot", '"'],
]);

/** The error for an XML text that is not well-formed or has a document type definition. */
export class MalformedXml extends Error {
  override readonly name = "MalformedXml";
}

/**
 * Generates the events of an XML text (XML 1.0, without document type definitions). The time is linear in the
 * text's length.
 *
 * @throws MalformedXml when the text is not well-formed
 */
export function* xmlEvents(xml: string): Generator<XmlEvent> {
  const open: string[] = [];
  const after = (end: string, from: number) => {
    const found = xml.indexOf(end, from);
    if (found < 0) throw new MalformedXml(`no ${end} follows`);
    return found + end.length;
  };
  let at = 0;
  while (at < xml.length) {
    const tag = xml.indexOf("<", at);
    const end = tag < 0 ? xml.length : tag;
    if (end > at) yield { kind: "text", text: unescaped(xml.slice(at, end)) };
    if (tag < 0) break;
    if (xml.startsWith("<?", tag)) at = after("?>", tag);
    else if (xml.startsWith("<!--", tag)) at = after("-->", tag);
    else if (xml.startsWith("<![CDATA[", tag)) {
      at = after("]]>", tag);
      yield { kind: "text", text: xml.slice(tag + 9, at - 3) };
    } else if (xml.startsWith("</", tag)) {
      at = after(">", tag);
      const name = xml.slice(tag + 2, at - 1).trimEnd();
      if (open.pop() !== name) throw new MalformedXml(`the element ${name} is closed and was not open`);
      yield { kind: "close", name };
    } else {
      const name = match(TAG_NAME, xml, tag + 1)[0];
      const attributes = new Map<string, string>();
      at = TAG_NAME.lastIndex;
      for (;;) {
        ATTRIBUTE.lastIndex = at;
        const attribute = ATTRIBUTE.exec(xml);
        if (!attribute) break;
        attributes.set(attribute[1] ?? "", unescaped(attribute[2] ?? attribute[3] ?? ""));
        at = ATTRIBUTE.lastIndex;
      }
      const isEmpty = match(TAG_END, xml, at)[1] === "/";
      at = TAG_END.lastIndex;
      yield { kind: "open", name, attributes };
      if (isEmpty) yield { kind: "close", name };
      else if (open.push(name) > DEPTH_LIMIT) throw new MalformedXml("elements nest too deep");
    }
  }
  if (open.length > 0) throw new MalformedXml(`the element ${open.at(-1)} is not closed`);
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (!found) throw new MalformedXml(`something is wrong at character ${at}`);
  return found;
}

/**
 * Returns a text with its references resolved. References to entities that XML does not define stay
 * unchanged.
 */
function unescaped(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w{1,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
