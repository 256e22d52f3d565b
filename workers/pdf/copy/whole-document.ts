import { ServiceError } from "../../../src/shared/errors.ts";
import { NO_TURNS, type Turns } from "../../../src/shared/rotation.ts";
import type { Report } from "../../../src/shared/throttled-report.ts";
import type { ByteSink } from "../../io/sink.ts";
import type { PdfDocument } from "../file/document.ts";
import { setIdentifier } from "../file/file-identifier.ts";
import { FileWriter, laterVersion } from "../file/file-writer.ts";
import {
  aboutPage,
  completePage,
  hasSoundTree,
  type Page,
  readPages,
  withSoundContents,
} from "../pages/page-tree.ts";
import { rotatePage } from "../pages/rotation.ts";
import type { Encryption } from "../security/encryption.ts";
import { PdfDict, PdfName, type PdfObject, PdfRef } from "../syntax/objects.ts";
import { type CopyRules, ObjectCopier } from "./copier.ts";
import { entryKinds, type Kind } from "./kinds.ts";
import type { SharedObjects } from "./shared-objects.ts";
import { StreamDeflater } from "./stream-deflater.ts";

/** What of a document is copied otherwise than it is. */
export interface DocumentChanges
  extends Partial<Pick<CopyRules, "kindOf" | "entryKinds" | "prepareDict" | "deflater" | "takesStream">> {
  /** Returns what finds equal objects, which are then written once. Objects get new numbers. Default: all are copied. */
  sharedIn?(writer: FileWriter): SharedObjects;
  /** The trailer to write. Default: that of the document. */
  readonly trailer?: PdfDict;
  /** Returns an indirect object as it is to be copied; undefined when it is not copied. Default: unchanged. */
  prepare?(object: PdfObject, num: number, kind: Kind): ReturnType<CopyRules["prepare"]>;
  /** Writes the streams that `takesStream` has taken, when all else is copied. May copy more objects. */
  writeTaken?(writer: FileWriter, copier: ObjectCopier): Promise<void>;
}

/** A document to write as a whole. */
export interface WholeDocument {
  readonly document: PdfDocument;
  readonly sink: ByteSink;
  /** The version to declare, such as "1.7". */
  readonly version: string;
  /** The encryption of the output. Undefined for none. */
  readonly encryption?: Encryption;
  /** Whether objects go into object streams. Default: as in the document. */
  readonly pack?: boolean;
  /** Whether to deflate uncompressed streams. */
  readonly deflates?: boolean;
  /** How pages are rotated. Default: not at all. */
  readonly turns?: Turns | undefined;
  /** What is copied otherwise than it is. Default: nothing. */
  readonly changes?: DocumentChanges | undefined;
  readonly report: Report;
}

/**
 * Writes the objects that the trailer reaches, decrypted if a password has opened the document. Makes a new page tree if
 * the document was rebuilt, its tree is not sound or pages are rotated.
 *
 * @throws {ServiceError} `damaged_file` when there are no pages
 */
export async function writeReachable(task: WholeDocument): Promise<void> {
  const { document, sink, version, encryption, deflates = false, turns, changes, report } = task;
  const { source } = document;
  const { pack = document.usesObjectStreams } = task;
  const needsNewTree = turns !== undefined || document.isRebuilt || !hasSoundTree(document);
  const pages = needsNewTree ? readPages(document) : [];
  const writer = new FileWriter(sink, pack ? laterVersion(version, "1.5") : version, {
    pack,
    encryption,
    highest: changes?.sharedIn ? 0 : document.highestNumber,
    // Inherited attributes are written for each page.
    account: needsNewTree ? (bytes) => document.budget.charge("writtenByte", bytes) : undefined,
  });
  const shared = changes?.sharedIn?.(writer);
  shared?.nextDocument(source);
  const copier = new ObjectCopier(document, writer, {
    keepsNumbers: shared === undefined,
    shared,
    deflater: changes?.deflater ?? (deflates ? new StreamDeflater(document) : undefined),
    takesStream: (copied) => changes?.takesStream?.(copied) ?? false,
    mayCopy: () => true,
    kindOf: (object, place, num) => changes?.kindOf?.(object, place, num) ?? "other",
    entryKinds: (kind) => changes?.entryKinds?.(kind) ?? entryKinds(kind),
    prepareDict: (dict, kind) => (changes?.prepareDict ? changes.prepareDict(dict, kind) : dict),
    prepare: (object, num, kind) => {
      // A new tree replaces the old nodes.
      if (needsNewTree && object instanceof PdfDict && object.is("Type", "Pages")) return undefined;
      const changed = changes?.prepare ? changes.prepare(object, num, kind) : object;
      return changed instanceof PdfDict && changed.is("Type", "Page") ? withSoundContents(changed) : changed;
    },
  });
  const original = changes?.trailer ?? document.trailer;
  const trailer = new PdfDict();
  const root = pages.length > 0 ? catalogWithPages(task, writer, copier, pages) : undefined;
  for (const [key, value] of original.entries()) {
    if (key === "Encrypt" || key === "ID") continue;
    trailer.set(key, key === "Root" && root ? root : copier.map(value, "other"));
  }
  setIdentifier(trailer, original);
  await copier.copyReached();
  if (changes?.writeTaken) {
    await changes.writeTaken(writer, copier);
    await copier.copyReached();
  }
  report("working", source.size, source.size);
  await writer.end(trailer);
}

function catalogWithPages(
  { document, turns = NO_TURNS }: WholeDocument,
  writer: FileWriter,
  copier: ObjectCopier,
  pages: readonly Page[],
): PdfRef {
  const catalog = document.catalog ?? new PdfDict();
  const oldRoot = document.trailer.reference("Root");
  const root = new PdfRef(writer.allocate(), 0);
  if (oldRoot) copier.assign(oldRoot.num, root.num);
  const tree = new PdfRef(writer.allocate(), 0);
  const kids = copier.assignPages(pages);
  for (const [index, page] of pages.entries()) {
    const complete = completePage(page);
    complete.delete("Parent");
    rotatePage(complete, turns(index + 1));
    const mapped = mappedPage(copier, complete, index + 1);
    if (mapped instanceof PdfDict) mapped.set("Parent", tree);
    writer.object(kids[index]?.num ?? writer.allocate(), 0, mapped);
  }
  writer.object(tree.num, 0, pageTreeNode(kids));
  const withoutPages = catalog.clone();
  withoutPages.delete("Pages");
  const mapped = copier.map(withoutPages, "catalog");
  if (mapped instanceof PdfDict) {
    mapped.set("Type", PdfName.of("Catalog"));
    mapped.set("Pages", tree);
  }
  writer.object(root.num, 0, mapped);
  return root;
}

/** Returns a page with the numbers of the output. @throws {ServiceError} with `details.page` when it cannot be copied */
function mappedPage(copier: ObjectCopier, page: PdfDict, number: number): PdfObject {
  try {
    return copier.map(page, "page");
  } catch (error) {
    throw error instanceof ServiceError ? aboutPage(number, error) : error;
  }
}

/** Returns a page tree with one node. */
export function pageTreeNode(kids: readonly PdfRef[]): PdfDict {
  return PdfDict.from([
    ["Type", PdfName.of("Pages")],
    ["Count", kids.length],
    ["Kids", [...kids]],
  ]);
}
