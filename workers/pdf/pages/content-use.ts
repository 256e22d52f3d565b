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

/** Which resources content names, by kind. */
export type UsedNames = ReadonlyMap<ResourceKind, ReadonlySet<string>>;

/** Character codes of one byte, as text in a simple font has them. */
export class CodeSet {
  readonly #bits = new Uint32Array(8);

  add(code: number): void {
    const word = code >> 5;
    this.#bits[word] = (this.#bits[word] as number) | (1 << (code & 31));
  }

  has(code: number): boolean {
    return ((this.#bits[code >> 5] as number) & (1 << (code & 31))) !== 0;
  }

  /** Adds other codes, and tells whether there were new ones among them. */
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

  /** How many codes it has. */
  get size(): number {
    return [...this.codes()].length;
  }

  *codes(): Generator<number> {
    for (let code = 0; code < 256; code++) if (this.has(code)) yield code;
  }
}

/** What content uses of the resources that it is drawn with. */
export class ContentUse {
  readonly #names = new Map<ResourceKind, Set<string>>();
  readonly #codes = new Map<string, CodeSet>();
  /** The codes of text whose font the content does not select: the font is that of what draws the content. */
  inheritedFont: CodeSet | undefined;
  /** The codes of text whose font a graphics state may have selected. */
  stateFont: CodeSet | undefined;

  get names(): UsedNames {
    return this.#names;
  }

  /** The codes of the text that is shown in each font, by the font's name. */
  get codes(): ReadonlyMap<string, CodeSet> {
    return this.#codes;
  }

  /** How many names there are, those of each kind counted, and fonts with text. */
  get size(): number {
    let size = this.#codes.size;
    for (const names of this.#names.values()) size += names.size;
    return size;
  }

  get isEmpty(): boolean {
    return this.size === 0 && !this.inheritedFont && !this.stateFont;
  }

  /** Adds a name, and tells whether it is new. */
  addName(kind: ResourceKind, name: string): boolean {
    const names = this.#names.get(kind);
    if (names?.has(name)) return false;
    if (names) names.add(name);
    else this.#names.set(kind, new Set([name]));
    return true;
  }

  /** The use of content of which only the names are known, and the codes of all its text. Neither is copied. */
  static ofAnyKind(names: Set<string>, codes: CodeSet): ContentUse {
    const use = new ContentUse();
    for (const kind of RESOURCE_KINDS) use.#names.set(kind, names);
    for (const name of names) use.#codes.set(name, codes);
    use.inheritedFont = codes;
    use.stateFont = codes;
    return use;
  }

  /** Adds the codes of text in a font, and tells whether there are new ones. */
  addCodes(font: string, codes: CodeSet): boolean {
    const known = this.#codes.get(font);
    if (known) return known.addAll(codes);
    const own = new CodeSet();
    this.#codes.set(font, own);
    return own.addAll(codes);
  }

  /** Adds codes to {@link inheritedFont}, and tells whether there are new ones. */
  addInherited(codes: CodeSet): boolean {
    this.inheritedFont ??= new CodeSet();
    return this.inheritedFont.addAll(codes);
  }

  /** Adds codes to {@link stateFont}. */
  addState(codes: CodeSet): void {
    this.stateFont ??= new CodeSet();
    this.stateFont.addAll(codes);
  }

  /** The codes of all text that may be shown in a font. */
  codesOf(font: string): CodeSet {
    const all = new CodeSet();
    const own = this.#codes.get(font);
    if (own) all.addAll(own);
    if (this.inheritedFont) all.addAll(this.inheritedFont);
    return all;
  }

  /** Adds all that another content uses. */
  addAll(other: ContentUse): void {
    for (const [kind, names] of other.#names) for (const name of names) this.addName(kind, name);
    for (const [font, codes] of other.#codes) this.addCodes(font, codes);
    if (other.inheritedFont) this.addInherited(other.inheritedFont);
    if (other.stateFont) this.addState(other.stateFont);
  }
}
