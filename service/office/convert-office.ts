import { join } from "node:path";
import { baseName } from "../../src/inputs.ts";
import { checkUnbounded, idle, type JobValues, OPERATIONS } from "../../src/operations.ts";
import { FORMATS, type FormatId } from "../../src/shared/formats.ts";
import { type EngineSetup, type MadeFile, runCall } from "../platform/run-call.ts";
import { saveBlob } from "../platform/save-blob.ts";
import { StoredBlob, StoredFile } from "../platform/stored-blob.ts";
import { refuseLinkedFiles } from "./linked-files.ts";
import { exportByOffice, type OfficeContext } from "./office.ts";
import { LARGEST_PICTURE, pictureDocument } from "./picture-document.ts";
import { planOf } from "./plan.ts";
import { disableFields } from "./rtf-fields.ts";

/** The checked fields of `convert`. */
export type ConvertValues = JobValues<typeof OPERATIONS.convert.fields>;

/** What a conversion works with. */
export interface ConversionContext extends OfficeContext {
  readonly engines: EngineSetup;
}

/** A conversion that needs LibreOffice. */
export interface OfficeConversion {
  readonly file: StoredFile;
  readonly from: FormatId;
  readonly values: ConvertValues;
}

/** Returns whether LibreOffice converts a pair, rather than the engines. */
export function isOfficePair(from: FormatId, to: FormatId): boolean {
  return FORMATS[from].kind === "office" || FORMATS[to].kind === "office";
}

/**
 * Converts one file by LibreOffice. The engines open protected PDFs before, and draw and rotate pages afterwards.
 *
 * @returns the result, in the folder of the context
 * @throws {ServiceError} and `signal.reason` when aborted
 */
export async function convertOffice(
  conversion: OfficeConversion,
  context: ConversionContext,
): Promise<MadeFile> {
  const { file, from, values } = conversion;
  const { output_format: to, pages, rotate } = values;
  if (FORMATS[to].kind !== "image") checkUnbounded(values);
  const plan = planOf(from, to);
  if (rotate !== undefined && FORMATS[to].kind === "office")
    throw idle("rotate", `a file becomes ${to.toUpperCase()}`);
  const office = async (input: StoredBlob, format: FormatId, target: FormatId) =>
    exportByOffice(await inputFile(format, input, context), target, plan.export, context);
  const made = (path: string): MadeFile => {
    const { mime } = FORMATS[to];
    const fileName = OPERATIONS.convert.fileName(baseName(file), values, mime);
    return { file: StoredFile.at(path, fileName, mime), fileName };
  };

  switch (plan.by) {
    case "export": {
      // LibreOffice would ask for a password in a dialog, and cannot select pages of its input.
      const source = from === "pdf" ? (await openPdf(file, values, context)).file : file;
      const path = await office(source, from, to);
      const isChanged = to === "pdf" && (pages !== undefined || rotate !== undefined);
      return isChanged
        ? byEngines(pdfAt(path, file), { output_format: "pdf", pages, rotate }, context)
        : made(path);
    }
    case "page images": {
      const pdf = pdfAt(await office(file, from, "pdf"), file);
      // The PDF that LibreOffice has made needs no password.
      return byEngines(pdf, { ...values, file: undefined, password: undefined }, context);
    }
    case "picture": {
      const limits = { max_width: LARGEST_PICTURE, max_height: LARGEST_PICTURE, pages: pages ?? "primary" };
      const picture = await byEngines(file, { output_format: "png", ...limits }, context);
      const document = new StoredBlob([pictureDocument(picture.file.readSync(), plan.family)]);
      return made(await office(document, plan.family === "writer" ? "odt" : "odp", to));
    }
  }
}

/** Converts a file by the engines. Fields that are undefined are absent. */
function byEngines(
  file: StoredFile,
  fields: object,
  { engines, signal }: ConversionContext,
): Promise<MadeFile> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return runCall({ operation: "convert", params: { ...Object.fromEntries(given), file }, signal }, engines);
}

/** Returns the selected pages of a PDF, without encryption. */
function openPdf(file: StoredFile, { pages, password }: ConvertValues, context: ConversionContext) {
  return byEngines(file, { output_format: "pdf", pages, password }, context);
}

/** Returns the PDF of a document, under the name of the document. */
function pdfAt(path: string, document: StoredFile): StoredFile {
  return StoredFile.at(path, `${baseName(document)}.pdf`, FORMATS.pdf.mime);
}

/** Writes the input under the extension of its content, because LibreOffice may trust the extension. */
async function inputFile(
  format: FormatId,
  content: StoredBlob,
  { folder, signal }: OfficeContext,
): Promise<string> {
  const path = join(folder, `input.${format}`);
  await saveBlob(content, path, signal);
  if (format === "rtf") await disableFields(path);
  await refuseLinkedFiles(path, signal);
  return path;
}
