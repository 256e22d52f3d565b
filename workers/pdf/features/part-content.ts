import { ServiceError } from "../../../src/shared/errors.ts";
import type { Turn } from "../../../src/shared/rotation.ts";
import { appearancesOn } from "../pages/appearances.ts";
import { blankPage } from "../pages/blank-page.ts";
import { aboutPage, completePage, type Page } from "../pages/page-tree.ts";
import { rotatePage } from "../pages/rotation.ts";
import { dictOf, PdfDict, type PdfObject, type PdfRef, PdfStream, resolved } from "../syntax/objects.ts";
import type { DocumentPart } from "./document-part.ts";

/**
 * Writes the pages of a part and what they reach. Type 3 fonts and layers are written later, when all content that may use
 * them has been read.
 *
 * @returns the pages in the output
 * @throws {ServiceError} with `details.page` when the content of a page cannot be copied
 */
export async function writePages(part: DocumentPart): Promise<readonly PdfRef[]> {
  const { copier, output, pages: chosen } = part;
  const { pages, earlier, source } = chosen;
  const kids = copier.assignPages(pages);
  // What leads to a page that is not copied again leads to its first copy.
  for (const [index, { num }] of earlier) {
    const old = source.pages[index]?.ref?.num;
    if (old !== undefined && !copier.copied.has(old)) copier.assign(old, num);
  }
  for (const [index, page] of pages.entries()) {
    const num = kids[index]?.num;
    if (num === undefined) continue;
    const number = (chosen.indices[index] ?? 0) + 1;
    try {
      output.writer.object(num, 0, pageObject(part, page, chosen.turns(number)));
    } catch (error) {
      throw error instanceof ServiceError ? aboutPage(number, error) : error;
    }
    // Shared objects are written with the page that leads to them.
    if (output.writer.backpressure) await output.writer.drain();
  }
  await copier.copyReached();
  return kids;
}

/** Writes an empty page after the pages of a part, as large as the last of them. */
export function writeBlankPage({ output, pages: { pages, indices, turns } }: DocumentPart): void {
  const before = pages.at(-1);
  if (before === undefined) return;
  const ref = output.newReference();
  const blank = blankPage(before, turns((indices.at(-1) ?? 0) + 1));
  blank.set("Parent", output.pageTree);
  output.writer.object(ref.num, 0, blank);
  output.pages.push(ref);
}

function pageObject(part: DocumentPart, source: Page, turn: Turn): PdfObject {
  const { contents } = part.source;
  const { use } = part.rules.part;
  const page = completePage(source);
  rotatePage(page, turn);
  const appearances = appearancesOn(page);
  const resources = page.dict("Resources");
  const content = [page.get("Contents") ?? null];
  if (resources) page.set("Resources", contents.usedResources(resources, content, use, { appearances }));
  else page.delete("Resources");
  // The appearances are read now, so that an error can name the page.
  for (const object of appearances) {
    const appearance = resolved(object);
    if (appearance instanceof PdfStream) contents.withUsedResources(appearance, use);
  }
  const mapped = part.map(page, "page") ?? new PdfDict();
  mapped.set("Parent", part.output.pageTree);
  return mapped;
}

/**
 * Writes the Type 3 fonts with the glyphs in use, when all text is known. A glyph may show text in any Type 3 font, even in
 * its own. The loop ends when no more glyphs come into use.
 */
export async function writeType3Fonts({
  document,
  source,
  output,
  copier,
  rules,
}: DocumentPart): Promise<void> {
  const { use } = rules.part;
  const reduced = (num: number) => {
    const font = dictOf(document.referenceTo(num)) ?? new PdfDict();
    return copier.map(source.contents.type3For(font, use.codesOf(num), use), "font");
  };
  await copier.copyReached();
  const known = new Map<number, number>();
  for (let grew = true; grew; ) {
    grew = false;
    for (const num of rules.fonts) {
      document.budget.charge("object");
      const { size } = use.codesOf(num);
      if (known.get(num) === size) continue;
      known.set(num, size);
      reduced(num);
      grew = true;
    }
    await copier.copyReached();
  }
  for (const num of rules.fonts) output.writer.object(copier.copied.get(num) ?? 0, 0, reduced(num));
}
