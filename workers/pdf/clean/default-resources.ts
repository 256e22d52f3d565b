import { FormResources } from "../content/form-resources.ts";
import { withChanges } from "../copy/changes.ts";
import type { PdfDocument } from "../file/document.ts";
import { dictOf, type PdfDict } from "../syntax/objects.ts";
import type { PlaceFinder } from "./place-finder.ts";
import { FIELDS } from "./places.ts";

/** The resources in which readers draw the fields that stay again: those that default appearances name (ISO 32000-2, 12.7.4.3). */
export class DefaultResources {
  readonly #document: PdfDocument;
  readonly #finder: PlaceFinder;
  readonly #resources: FormResources;
  #keptNumbers: ReadonlySet<number> | undefined;

  constructor(document: PdfDocument, finder: PlaceFinder) {
    this.#document = document;
    this.#finder = finder;
    this.#resources = new FormResources(document, document.catalog?.dict("AcroForm"));
  }

  /** The names of their fonts. */
  get fonts(): ReadonlySet<string> {
    return this.#resources.fontsNamedBy(this.#kept);
  }

  /** Returns a form, a field or an annotation with as much of its default resources as default appearances can use. */
  reduced(holder: PdfDict): PdfDict {
    const shared = holder.dict("DR");
    if (!shared) return holder;
    // Each field that shares resources gets some of its own.
    this.#document.budget.charge("keptEntry", shared.size + (shared.dict("Font")?.size ?? 0));
    const resources = this.#resources.neededBy(this.#kept, holder.get("DR"));
    return resources ? withChanges(holder, [["DR", resources]]) : holder;
  }

  /** The object numbers of the fields and annotations that stay. */
  get #kept(): ReadonlySet<number> {
    this.#keptNumbers ??= new Set(
      [...this.#finder.kinds].flatMap(([num, kinds]) => {
        const isField = kinds.some((kind) => FIELDS.includes(kind));
        const dict = isField ? dictOf(this.#document.referenceTo(num)) : undefined;
        const stays = dict && kinds.every((kind) => this.#finder.categoryOf(dict, kind, num) === undefined);
        return stays ? [num] : [];
      }),
    );
    return this.#keptNumbers;
  }
}
