import type { PdfDict } from "../../syntax/objects.ts";
import { joined, listsOf, setList } from "../combined-dicts.ts";
import { type Feature, feature, keptOf } from "../feature.ts";
import { FormFields } from "./form-fields.ts";

/** The form (ISO 32000-2, 12.7), with the fields that have a widget on a page. */
export const form: Feature<FormFields> = feature<FormFields, PdfDict>({
  read: ({ document }) => new FormFields(document),
  keep(found, part) {
    const { objects, rules } = part;
    const reduced = found.formOf(objects.fields, objects.annotations);
    rules.addFormText(reduced?.get("DR"));
    // The default resources of several documents become one dictionary.
    const resources = reduced?.dict("DR")?.clone();
    const fonts = resources?.dict("Font");
    if (fonts) resources?.set("Font", rules.part.renaming.fonts(fonts));
    if (resources) reduced?.set("DR", resources);
    return reduced && part.map(reduced, "form");
  },
  // Fields and fonts have different names already. The form's `DA` and `Q` hold for the fields of the first document: the
  // others have their own.
  combine(documents) {
    const forms = keptOf(documents);
    const [first] = forms;
    if (!first || forms.length === 1) return first;
    const combined = first.clone();
    for (const key of ["Fields", "CO"]) setList(combined, key, listsOf(forms, key));
    // Readers would draw the fields of all documents anew. Those of a document with the flag have got appearances.
    if (!forms.every((other) => other.get("NeedAppearances") === true)) combined.delete("NeedAppearances");
    const resources = combinedResources(forms.flatMap((other) => other.dict("DR") ?? []));
    if (resources.size > 0) combined.set("DR", resources);
    return combined;
  },
  write: (kept, { catalog }) => catalog.set("AcroForm", kept),
});

/** Of two resources of another category than `Font`, the first counts: default appearances use fonts only. */
function combinedResources(all: readonly PdfDict[]): PdfDict {
  const combined = joined(all);
  const fonts = all.flatMap((resources) => resources.dict("Font") ?? []);
  if (fonts.length > 0) combined.set("Font", joined(fonts));
  return combined;
}
