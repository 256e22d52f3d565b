import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, type Zippable, zipSync } from "fflate";
import { expect, onTestFinished, test } from "vitest";
import { refuseLinkedFiles } from "../../../../service/office/linked-files.ts";

async function check(bytes: Uint8Array): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "stayput-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "input.odt");
  writeFileSync(path, bytes);
  await refuseLinkedFiles(path, new AbortController().signal);
}

const documentOf = (content: string | Uint8Array, name = "content.xml", more: Zippable = {}) =>
  zipSync({ [name]: typeof content === "string" ? strToU8(content, true) : content, ...more });

const image = (href: string) => `<d:doc><draw:image xlink:href="${href}"/></d:doc>`;

test.each([
  ["a path", image("file:///etc/a.png")],
  ["a path without a scheme", image("/etc/a.png")],
  ["a path on Windows", image("C:\\a.png")],
  ["a share", image("\\\\server\\a.png")],
  ["a folder above", image("../../a.png")],
  ["a folder above, in a folder", image("Pictures/../../a.png")],
  ["escapes", image("%2e%2E/%2e./a.png")],
  ["white space", image(" \n file:///a.png")],
  ["character references", image("&#102;&#x69;le&#58;///a.png")],
  ["another scheme of LibreOffice", image("vnd.sun.star.expand:$HOME/a.png")],
  ["single quotes", "<draw:image xlink:href = 'file:///a.png'/>"],
  ["another prefix", '<x:image y:href="file:///a.png"/>'],
  ["no prefix", '<image href="file:///a.png"/>'],
  ["a button", '<form:image form:image-data="file:///a.png"/>'],
  ["a paragraph", '<style:background-image xlink:href="file:///a.png"/>'],
  ["a tag with a > before", '<draw:image draw:name="a>b" xlink:href="file:///a.png"/>'],
  ["a tag after a quote in a comment", `<!-- <a " -->${image("file:///a.png")}`],
  ["a tag after a quote in CDATA", `<![CDATA[ <a ' ]]>${image("file:///a.png")}`],
  ["a tag over several lines", '<draw:image\n\txlink:href="file:///a.png"\n/>'],
  ["a tag far behind", `${"<p>text</p>".repeat(50_000)}${image("file:///a.png")}`],
])("refuses a document that names a file by %s", async (_, content) => {
  await expect(check(documentOf(content))).rejects.toMatchObject({ code: "unsupported_input" });
});

test.each(["styles.xml", "Object 1/content.xml", "Content.xml"])("searches %s", async (name) => {
  await expect(check(documentOf(image("/a.png"), name))).rejects.toMatchObject({ code: "unsupported_input" });
});

test("searches a zip behind other bytes, and one that is not compressed", async () => {
  const bytes = zipSync({ "content.xml": [strToU8(image("/a.png")), { level: 0 }] });
  const code = "unsupported_input";
  await expect(check(bytes)).rejects.toMatchObject({ code });
  const behind = Buffer.concat([Buffer.from("{\\rtf1 "), bytes]);
  await expect(check(behind)).rejects.toMatchObject({ code });
});

test.each([
  ["a picture in the document", image("Pictures/1.png")],
  ["an object in the document", image("./Object 1")],
  ["a picture of the web", image("https://a.example/1.png")],
  ["a hyperlink", '<text:a xlink:href="file:///a.pdf">a</text:a><draw:a xlink:href="../b.pdf"/>'],
  ["a script, which does not run", '<script:event-listener xlink:href="vnd.sun.star.script:a?b"/>'],
  ["text", '<text:p>href="/a.png" file:///a.png ../a</text:p>'],
])("accepts %s", async (_, content) => {
  await expect(check(documentOf(content))).resolves.toBeUndefined();
});

test("accepts links of other parts, and files that are no zip", async () => {
  const template = '<meta:template xlink:href="../../a.ott"/>';
  for (const name of ["meta.xml", "customXml/item1.xml"])
    await expect(check(documentOf(template, name))).resolves.toBeUndefined();
  for (const bytes of [new Uint8Array(), strToU8("{\\rtf1 a}"), new Uint8Array(100_000)])
    await expect(check(bytes)).resolves.toBeUndefined();
});

const utf16 = new Uint8Array(Buffer.from(image("/a.png"), "utf16le"));
test.each<[string, Uint8Array]>([
  ["in UTF-16", documentOf(utf16)],
  ["in an encoding of mainframes", documentOf('<?xml version="1.0" encoding="ebcdic-cp-us"?><a/>')],
  ["with entities of its own", documentOf('<!DOCTYPE a [<!ENTITY b "file:///a.png">]><a/>')],
  ["with an endless tag", documentOf(`<a ${"b".repeat(3_000_000)}`)],
  ["that is cut off", documentOf("<a/>").subarray(0, -4)],
  ["whose directory is damaged", documentOf("<a/>").fill(1, -79, -76)],
  ["whose content is damaged", documentOf(image("/a.png").repeat(99)).fill(0xff, 50, 80)],
])("refuses a document %s", async (_, bytes) => {
  await expect(check(bytes)).rejects.toMatchObject({ code: "damaged_file" });
});
