/** The kinds of named resources (ISO 32000-2, Table 34) that content refers to. */
export const RESOURCE_KINDS = [
  "XObject",
  "Font",
  "ExtGState",
  "ColorSpace",
  "Pattern",
  "Shading",
  "Properties",
] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** The names of the resources that content uses, by kind. */
export type UsedNames = ReadonlyMap<ResourceKind, ReadonlySet<string>>;

/** A set of one-byte character codes, as in the text of a simple font. */
export class CodeSet {
  readonly #bits = new Uint32Array(8);

  add(code: number): void {
    const word = code >> 5;
    this.#bits[word] = (this.#bits[word] as number) | (1 << (code & 31));
  }

  has(code: number): boolean {
    return ((this.#bits[code >> 5] as number) & (1 << (code & 31))) !== 0;
  }

  /** Adds other codes. Returns whether any of them is new. */
  addAll(other: CodeSet): boolean {
    let grew = false;
    for (let word = 0; word < 8; word++) {
      const before = this.#bits[word] as number;
      const after = (before | (other.#bits[word] as number)) >>> 0;
      if (after !== before) grew = true;
      this.#bits[word] = after;
    }
    return grew;
  }

  clear(): void {
    this.#bits.fill(0);
  }

  /** The number of codes. */
  get size(): number {
    return [...this.codes()].length;
  }

  *codes(): Generator<number> {
    for (let code = 0; code < 256; code++) if (this.has(code)) yield code;
  }
}

/** The resources that content uses. */
export class ContentUse {
  readonly #names = new Map<ResourceKind, Set<string>>();
  readonly #codes = new Map<string, CodeSet>();
  /** The codes of text whose font the content does not select. The content that draws it selects the font. */
  inheritedFont: CodeSet | undefined;
  /** The codes of text whose font a graphics state may have selected. */
  stateFont: CodeSet | undefined;

  get names(): UsedNames {
    return this.#names;
  }

  /** The codes of the text in each font, by the font's resource name. */
  get codes(): ReadonlyMap<string, CodeSet> {
    return this.#codes;
  }

  /** The number of names of all kinds, plus the number of fonts with text. */
  get size(): number {
    let size = this.#codes.size;
    for (const names of this.#names.values()) size += names.size;
    return size;
  }

  get isEmpty(): boolean {
    return this.size === 0 && !this.inheritedFont && !this.stateFont;
  }

  /** Adds a name. Returns whether it is new. */
  addName(kind: ResourceKind, name: string): boolean {
    const names = this.#names.get(kind);
    if (names?.has(name)) return false;
    if (names) names.add(name);
    else this.#names.set(kind, new Set([name]));
    return true;
  }

  /**
   * Returns a use for content with known names and known codes of all its text. Does not copy the two sets.
   */
  static conservative(names: Set<string>, codes: CodeSet): ContentUse {
    const use = new ContentUse();
    for (const kind of RESOURCE_KINDS) use.#names.set(kind, names);
    for (const name of names) use.#codes.set(name, codes);
    use.inheritedFont = codes;
    use.stateFont = codes;
    return use;
  }

  /** Adds the codes of text in a font. Returns whether any of them is new. */
  addCodes(font: string, codes: CodeSet): boolean {
    const known = this.#codes.get(font);
    if (known) return known.addAll(codes);
    const added = new CodeSet();
    this.#codes.set(font, added);
    return added.addAll(codes);
  }

  /** Adds codes to {@link inheritedFont}. Returns whether any of them is new. */
  addInherited(codes: CodeSet): boolean {
    this.inheritedFont ??= new CodeSet();
    return this.inheritedFont.addAll(codes);
  }

  /** Adds codes to {@link stateFont}. Returns whether any of them is new. */
  addState(codes: CodeSet): boolean {
    this.stateFont ??= new CodeSet();
    return this.stateFont.addAll(codes);
  }

  /** Returns the codes of all text that the content may show in a font. */
  codesOf(font: string): CodeSet {
    const all = new CodeSet();
    const selected = this.#codes.get(font);
    if (selected) all.addAll(selected);
    if (this.inheritedFont) all.addAll(this.inheritedFont);
    return all;
  }

  /** Returns the codes of all text that the content may show in a font that a graphics state selects. */
  get stateCodes(): CodeSet {
    const all = new CodeSet();
    if (this.stateFont) all.addAll(this.stateFont);
    if (this.inheritedFont) all.addAll(this.inheritedFont);
    return all;
  }

  /** Adds everything that another content uses. */
  addAll(other: ContentUse): void {
    for (const [kind, names] of other.#names) for (const name of names) this.addName(kind, name);
    for (const [font, codes] of other.#codes) this.addCodes(font, codes);
    if (other.inheritedFont) this.addInherited(other.inheritedFont);
    if (other.stateFont) this.addState(other.stateFont);
  }
}

/** The shared objects that the content of one output uses, by their object numbers in the input. */
export class PartUse {
  readonly #codes = new Map<number, CodeSet>();
  readonly #layers = new Set<number>();

  /** Records text of these codes in a Type 3 font. */
  addText(font: number, codes: CodeSet): void {
    const known = this.#codes.get(font) ?? new CodeSet();
    known.addAll(codes);
    this.#codes.set(font, known);
  }

  /** Returns the codes of all recorded text in a Type 3 font. */
  codesOf(font: number): CodeSet {
    return this.#codes.get(font) ?? new CodeSet();
  }

  /** Records that a copied object names a layer. */
  addLayer(layer: number): void {
    this.#layers.add(layer);
  }

  /** Returns whether a copied object names the layer itself. */
  namesLayer(layer: number): boolean {
    return this.#layers.has(layer);
  }
}
