import { internalError } from "../shared/failure.ts";
import { FORMAT_ROWS, ZIP } from "../shared/formats.ts";

const TYPES: ReadonlySet<string> = new Set([ZIP, ...FORMAT_ROWS.map(([, { mime }]) => mime)]);

/**
 * Returns a file that a worker has made. Its MIME type is one that Stayput writes: a page that opens a result must not run
 * it as HTML, even if the code in the worker is hostile.
 *
 * @throws {ServiceError} `internal_error` for anything else
 */
export function checkedFile<Each extends Blob>(given: Each): Each {
  if (given instanceof Blob && TYPES.has(given.type)) return given;
  throw internalError(
    "The work ended in an unexpected result. Try again.",
    "The worker returned something else than a file of a known type.",
  );
}

/** Returns an item that a worker delivers. A file in it is checked as by {@link checkedFile}. */
export function checkedDelivery<Item extends object>(item: Item): Item {
  if ("blob" in item) checkedFile(item.blob as Blob);
  if ("file" in item) checkedFile(item.file as Blob);
  return item;
}
