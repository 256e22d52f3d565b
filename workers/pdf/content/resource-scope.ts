import type { WorkMeter } from "../file/work-budget.ts";
import {
  dictOf,
  type PdfDict,
  type PdfObject,
  PdfRef,
  PdfStream,
  resolved,
  streamOf,
} from "../syntax/objects.ts";
import { type CodeSet, ContentUse, type ResourceKind } from "./content-use.ts";
import { glyphProceduresOf } from "./type3-glyphs.ts";

/** Resources, and the content that looks up its names in them (ISO 32000-2, 7.8.3). */
export class ResourceScope {
  readonly resources: PdfDict | undefined;
  /**
   * The resources that this content uses. Includes those that it uses through drawn content without resources
   * of its own.
   */
  readonly used = new ContentUse();
  /**
   * Names that the resources lack. Readers then look them up in the resources of the content that draws the
   * form or shows the glyph.
   */
  readonly missing = new ContentUse();
  /** The fonts that graphics states select, in which the text of {@link ContentUse.stateCodes} may be. */
  readonly stateFonts = new Set<PdfObject>();
  /** The scopes whose content draws content of this one. */
  readonly drawnBy = new Set<ResourceScope>();
  /** The object numbers of the contents without resources of their own that were read. */
  readonly inheriting = new Set<number>();

  constructor(resources: PdfDict | undefined) {
    this.resources = resources;
  }
}

/** Results for contents that later drawings use again. */
interface KnownContents {
  /** Returns the resources that a content uses by itself. */
  useOf(content: PdfObject): ContentUse;
  /**
   * The names that forms lack in their own resources, by object number. {@link scopeOf} adds the forms that it
   * meets.
   */
  readonly missing: Map<number, ContentUse>;
}

/**
 * Returns the resources that contents use: by themselves, by drawing content without resources of its own,
 * and by drawing content whose own resources lack a name. Reads each content once, however deep forms nest,
 * and also when forms draw themselves.
 *
 * @param contents streams, or arrays of streams that are one content
 * @param forms appearances of annotations, drawn as forms that the content draws
 * @throws {ServiceError} `input_too_large` when a content uses more names than memory should hold
 */
export function scopeOf(
  budget: WorkMeter,
  known: KnownContents,
  resources: PdfDict | undefined,
  contents: readonly PdfObject[],
  forms: readonly PdfObject[] = [],
): ResourceScope {
  return new Propagation(budget, known).scopeOf(new ResourceScope(resources), contents, forms);
}

/** One call of {@link scopeOf}: a queue of the names and codes to add to scopes. */
class Propagation {
  readonly #budget: WorkMeter;
  readonly #known: KnownContents;
  /** The forms with resources of their own, by object number. */
  readonly #forms = new Map<number, ResourceScope>();
  /** The Type 3 fonts with resources of their own, by object number. */
  readonly #fonts = new Map<number, ResourceScope>();
  readonly #queue: { readonly scope: ResourceScope; readonly use: ContentUse }[] = [];

  constructor(budget: WorkMeter, known: KnownContents) {
    this.#budget = budget;
    this.#known = known;
  }

  scopeOf(root: ResourceScope, contents: readonly PdfObject[], forms: readonly PdfObject[]): ResourceScope {
    for (const content of contents) this.#queue.push({ scope: root, use: this.#known.useOf(content) });
    for (const form of forms) this.#draw(root, streamOf(form));
    for (let next = this.#queue.pop(); next; next = this.#queue.pop()) this.#apply(next.scope, next.use);
    for (const [num, { missing }] of this.#forms) this.#known.missing.set(num, missing);
    return root;
  }

  /** Adds a use to a scope and follows the names that are new. */
  #apply(scope: ResourceScope, use: ContentUse): void {
    const { used, resources } = scope;
    this.#budget.charge("entry", use.size);
    const fonts = new Set<string>();
    for (const [kind, names] of use.names) {
      const entries = resources?.dict(kind);
      const absent = new ContentUse();
      for (const name of names) {
        if (!used.addName(kind, name)) continue;
        if (kind === "Font") fonts.add(name);
        const entry = entries?.get(name);
        if (entry === undefined) absent.addName(kind, name);
        else this.#follow(scope, kind, entry);
      }
      this.#propagate(scope, absent);
    }
    for (const [font, codes] of use.codes) if (used.addCodes(font, codes)) fonts.add(font);
    let hasNewText = use.stateFont !== undefined && used.addState(use.stateFont);
    if (use.inheritedFont && used.addInherited(use.inheritedFont)) {
      hasNewText = true;
      const text = new ContentUse();
      text.addInherited(use.inheritedFont);
      this.#propagate(scope, text);
      for (const font of used.names.get("Font") ?? []) fonts.add(font);
    }
    for (const font of fonts) this.#showText(scope, font);
    if (hasNewText) for (const font of scope.stateFonts) this.#showGlyphs(scope, font, used.stateCodes);
  }

  /** Passes missing names to the scopes whose content draws content of this one. */
  #propagate(scope: ResourceScope, lacking: ContentUse): void {
    if (lacking.isEmpty) return;
    scope.missing.addAll(lacking);
    for (const above of scope.drawnBy) this.#queue.push({ scope: above, use: lacking });
  }

  /** Follows a used resource that draws: a form, a tiling pattern, or the soft mask of a graphics state. */
  #follow(scope: ResourceScope, kind: ResourceKind, entry: PdfObject): void {
    if (kind === "XObject" || kind === "Pattern") this.#draw(scope, streamOf(entry));
    if (kind === "ExtGState") this.#setState(scope, dictOf(entry));
  }

  /** Follows a graphics state: it draws the group of its soft mask, and may select a font (Table 57). */
  #setState(scope: ResourceScope, state: PdfDict | undefined): void {
    this.#draw(scope, state?.dict("SMask")?.stream("G"));
    const [font] = state?.array("Font") ?? [];
    if (font === undefined) return;
    scope.stateFonts.add(font);
    this.#showGlyphs(scope, font, scope.used.stateCodes);
  }

  #draw(scope: ResourceScope, form: PdfStream | undefined): void {
    const num = form && objectNumber(form);
    if (!form || num === undefined || form.dict.is("Subtype", "Image")) return;
    if (!hasResources(form.dict)) {
      this.#inherit(scope, form, num);
      return;
    }
    const known = this.#known.missing.get(num);
    if (known) {
      if (!known.isEmpty) this.#queue.push({ scope, use: known });
      return;
    }
    let inner = this.#forms.get(num);
    if (!inner) {
      inner = new ResourceScope(form.dict.dict("Resources"));
      this.#forms.set(num, inner);
      this.#queue.push({ scope: inner, use: this.#known.useOf(form) });
    }
    inner.drawnBy.add(scope);
    if (!inner.missing.isEmpty) this.#queue.push({ scope, use: inner.missing });
  }

  /** Adds what a content without resources of its own uses. It uses those of the scope. */
  #inherit(scope: ResourceScope, content: PdfObject, num: number): void {
    if (scope.inheriting.has(num)) return;
    scope.inheriting.add(num);
    this.#queue.push({ scope, use: this.#known.useOf(content) });
  }

  /** Records the text in a font. */
  #showText(scope: ResourceScope, name: string): void {
    const entry = scope.resources?.dict("Font")?.get(name);
    const codes = scope.used.codesOf(name);
    if (entry === undefined) {
      const text = new ContentUse();
      text.addCodes(name, codes);
      this.#propagate(scope, text);
      return;
    }
    this.#showGlyphs(scope, entry, codes);
  }

  /** Follows the glyphs of a Type 3 font. */
  #showGlyphs(scope: ResourceScope, entry: PdfObject, codes: CodeSet): void {
    const font = dictOf(entry);
    if (!font?.is("Subtype", "Type3")) return;
    const drawing = this.#scopeOfGlyphs(scope, entry, font);
    for (const [, procedure] of glyphProceduresOf(font, codes)) {
      const content = resolved(procedure);
      const num = objectNumber(content);
      if (num !== undefined) this.#inherit(drawing, content, num);
    }
  }

  /**
   * Returns the scope in which glyphs look up names: that of the resources of their font. Without them, that of the
   * content that shows the glyphs; also for a font that is a direct object, which has no number to be known by.
   */
  #scopeOfGlyphs(scope: ResourceScope, entry: PdfObject, font: PdfDict): ResourceScope {
    if (!(entry instanceof PdfRef && hasResources(font))) return scope;
    const inner = this.#fonts.get(entry.num) ?? new ResourceScope(font.dict("Resources"));
    this.#fonts.set(entry.num, inner);
    if (inner.drawnBy.has(scope)) return inner;
    inner.drawnBy.add(scope);
    if (!inner.missing.isEmpty) this.#queue.push({ scope, use: inner.missing });
    return inner;
  }
}

/**
 * Returns whether a form, a pattern or a font has resources of its own. A reference to a missing object
 * counts as none (ISO 32000-2, 7.3.7).
 */
export function hasResources(drawn: PdfDict): boolean {
  return drawn.value("Resources") !== null;
}

/** Returns the object number of a stream or a reference. */
export function objectNumber(stream: PdfObject): number | undefined {
  if (stream instanceof PdfRef) return stream.num;
  return stream instanceof PdfStream && stream.data.kind === "file" ? stream.data.owner.num : undefined;
}
