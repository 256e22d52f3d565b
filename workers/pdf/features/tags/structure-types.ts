import type { OutputNames } from "../../copy/output-names.ts";
import { PdfDict, PdfName } from "../../syntax/objects.ts";

/** The standard structure types of an element without a namespace (ISO 32000-1, 14.8.4). A role map may change them. */
export const STANDARD_TYPES: readonly string[] = (
  "Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody " +
  "Table TR TH TD THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP Figure " +
  "Formula Form"
).split(" ");
/** The most steps in the role map from one structure type. */
const ROLE_CHAIN = 32;

/** The structure types of a document in an output, with their roles. */
export class StructureTypes {
  readonly #roles: PdfDict | undefined;
  readonly #names: OutputNames;
  readonly #used = new Set<string>();

  /** @param roles the document's `RoleMap` */
  constructor(roles: PdfDict | undefined, names: OutputNames) {
    this.#roles = roles;
    this.#names = names;
  }

  /** Returns the name of a type in the output. A type without a role keeps its name, as standard types do. */
  nameOf(type: string): string {
    const role = this.#roles?.name(type);
    return role !== undefined && role !== type ? this.#names.of("structure type", type, role) : type;
  }

  /** Records that a copied element has a type. */
  use(type: string): void {
    this.#used.add(type);
  }

  /** Returns the entries of the role map for the recorded types. */
  usedRoles(): PdfDict {
    const used = new PdfDict();
    for (const type of this.#roles ? this.#used : []) {
      let name = type;
      for (let step = 0; step < ROLE_CHAIN && !used.has(this.nameOf(name)); step++) {
        const role = this.#roles?.name(name);
        if (role === undefined) break;
        used.set(this.nameOf(name), PdfName.of(this.nameOf(role)));
        name = role;
      }
    }
    return used;
  }
}
