import { type ErrorCode, ServiceError } from "../../src/shared/errors.ts";
import type { Inspection, InspectPdfOptions, OutlineEntry } from "../../src/shared/protocol.ts";
import type { ByteSink } from "../io/sink.ts";
import type { JobContext } from "../job-context.ts";
import { hiddenDataOf } from "./clean/hidden-data.ts";
import { Destinations } from "./features/destinations.ts";
import { outlineEntries } from "./features/outline/outline-entries.ts";
import { Outline } from "./features/outline/outline-items.ts";
import { PdfDocument } from "./file/document.ts";
import { decryptForReading, withRebuild } from "./open.ts";
import { shownSize } from "./pages/page-size.ts";
import { countPages, firstPages, pageIndicesOf, readPages } from "./pages/page-tree.ts";
import { hasSignature } from "./pages/signatures.ts";
import { isEncrypted, readEncryption } from "./security/encryption-dictionary.ts";
import { permissionsIn } from "./security/permissions.ts";
import { decodeText } from "./syntax/text-string.ts";

/**
 * How many pages and nodes of the page tree are read. In a large file, each may take a read of its own: about 0.5 ms in
 * Chromium.
 */
const LIMITS = { sizes: 100, nodes: Infinity };
const LIMITS_OF_LARGE_FILE = { sizes: 10, nodes: 1000 };
const LARGE_FILE = 100_000_000;

/** Longer strings are not titles. Decoding one may take hundreds of times its length. */
const LONGEST_TITLE_BYTES = 65_536;

/** The most entries of an outline that are returned. */
const MOST_OUTLINE_ENTRIES = 10_000;

/** The errors of what cannot be read, or not within our limits. */
const UNREADABLE: ReadonlySet<ErrorCode> = new Set(["damaged_file", "input_too_large"]);

/** The properties of a document. */
type Findings = Omit<Inspection, "format" | "size">;

/**
 * Reads the properties of a PDF, but not its pages. A PDF that needs a password is no error: the properties that its
 * encryption hides are absent.
 *
 * The outline names pages by their objects, so all page objects are read to number them. In a large file this takes much
 * longer than all else, so the caller has to ask for it.
 *
 * @throws {ServiceError} `wrong_password` for a given password, `unsupported_encryption`, `damaged_file`
 */
export async function inspectPdf(
  { source }: JobContext<ByteSink>,
  options: InspectPdfOptions,
): Promise<{ readonly value: Inspection }> {
  const findings = await withRebuild(PdfDocument.open(source), (document) =>
    inspectDocument(document, options),
  );
  return { value: { format: "pdf", size: source.size, ...findings } };
}

async function inspectDocument(document: PdfDocument, options: InspectPdfOptions): Promise<Findings> {
  const { password } = options;
  if (!isEncrypted(document)) return { encrypted: false, ...contents(document, options) };
  const { permissions: bits, revision } = readEncryption(document);
  const permissions = permissionsIn(bits, revision);
  const opens = await opensWithoutPassword(document);
  const access = { encrypted: true, opens_with_empty_password: opens, permissions };
  if (opens) return { ...access, ...contents(document, options) };
  if (password !== undefined) {
    await decryptForReading(document, password);
    return { ...access, ...contents(document, options) };
  }
  // Without the key, strings and object streams cannot be read. A rebuilt document may have object streams.
  const isHidden = document.usesObjectStreams || document.isRebuilt;
  return isHidden ? access : { ...access, ...structure(document) };
}

async function opensWithoutPassword(document: PdfDocument): Promise<boolean> {
  try {
    await decryptForReading(document, undefined);
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "password_required") return false;
    throw error;
  }
}

function contents(document: PdfDocument, options: InspectPdfOptions): Findings {
  const title = titleOf(document);
  const known = { ...structure(document), ...(title && { title }) };
  // Last, because a hostile document may use up the budget.
  const outline = options.outline ? readable(() => outlineOf(document)) : undefined;
  const hidden = options.hidden ? readable(() => hiddenDataOf(document)) : undefined;
  return { ...known, ...(outline && { outline }), ...(hidden && { hidden }) };
}

/** Returns the properties that need no decrypted string. */
function structure(document: PdfDocument): Findings {
  const { catalog } = document;
  const form = catalog?.dict("AcroForm");
  const limits = document.source.size > LARGE_FILE ? LIMITS_OF_LARGE_FILE : LIMITS;
  const first = firstPages(document, limits.sizes);
  const pages = first.length < limits.sizes ? first.length : countPages(document, limits.nodes);
  return {
    ...(pages !== undefined && { pages }),
    page_sizes: first.map(shownSize),
    has_outline: catalog?.dict("Outlines")?.dict("First") !== undefined,
    has_form: form !== undefined && (form.array("Fields").length > 0 || form.value("XFA") !== null),
    is_signed: hasSignature(form),
  };
}

function titleOf(document: PdfDocument): string | undefined {
  const title = document.trailer.dict("Info")?.string("Title");
  if (!title || title.bytes.length > LONGEST_TITLE_BYTES) return undefined;
  return decodeText(title).trim() || undefined;
}

/** Returns the entries that lead to pages. A split by outline begins files at them. */
function outlineOf(document: PdfDocument): readonly OutlineEntry[] {
  const pages = readPages(document);
  const outline = new Outline(
    document,
    new Destinations(document, pageIndicesOf(pages)),
    MOST_OUTLINE_ENTRIES,
  );
  return outlineEntries(outline.keptFor(pages.keys()), MOST_OUTLINE_ENTRIES);
}

/** Returns what is read; undefined when it cannot be read. */
function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError && UNREADABLE.has(error.code)) return undefined;
    throw error;
  }
}
