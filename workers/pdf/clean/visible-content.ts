import { ServiceError } from "../../../src/shared/errors.ts";
import { concatBytes } from "../../io/concat-bytes.ts";
import { latin1Bytes } from "../syntax/characters.ts";
import { END, Lexer, type Token } from "../syntax/lexer.ts";
import { PdfDict, PdfName, PdfReal } from "../syntax/objects.ts";
import { MalformedObject, parseObject } from "../syntax/parser.ts";
import { MOST_OPERANDS, type Operation, operationsIn } from "./content-operations.ts";

/** Says what of content is hidden. */
export interface Visibility {
  /** @param properties the name of the property list of a section of optional content */
  hidesSection(properties: string): boolean;
  hidesXObject(name: string): boolean;
  /** Returns whether an object that is shown has hidden content in it. */
  hidesPartOf(name: string): boolean;
  /** Returns the property lists that a section with this name may have. */
  listsOf(name: string): readonly PdfDict[];
}

const CONSTRUCTION = new Set(["m", "l", "c", "v", "y", "h", "re"]);
const CLIPPING = new Set(["W", "W*"]);
const PATH_PAINTING = new Set(["S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "n"]);
const TEXT_SHOWING = new Set(["Tj", "TJ", "'", '"']);
/** Operators after which text is at a place that no shown text decides. */
const TEXT_POSITIONING = new Set(["BT", "ET", "Td", "TD", "Tm", "T*", "'", '"']);
/** From this mode on, text clips what follows (ISO 32000-2, Table 104). */
const FIRST_CLIPPING_MODE = 4;
/** Operators that draw by themselves, and those that mark content. */
const DRAWING = new Set(["Do", "sh", "BI", "MP", "DP"]);

/** Content without its hidden parts. */
export interface VisibleContent {
  /** The same bytes when nothing is hidden. */
  readonly bytes: Uint8Array;
  /** The identifiers of marked content that has gone, or a part of it (ISO 32000-2, 14.7.5.2). */
  readonly removedIds: ReadonlySet<number>;
  /** Whether anything has gone. */
  readonly losesContent: boolean;
}

/** An open section of marked content. */
interface Section {
  readonly begin: Operation;
  readonly isHidden: boolean;
  /** Whether it is hidden, or a part of it. */
  hasLoss: boolean;
}

/** Bytes to write in place of an operation. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly others: readonly Uint8Array[];
}

/** What a property list says in place of the content (ISO 32000-2, 14.9). */
const TEXTS_OF_LIST = ["Alt", "ActualText", "E"];

/**
 * Removes what hidden layers draw from content. Operators that set the graphics
 * state, the clipping path or the place of text stay in hidden sections: they hold for what follows (ISO 32000-2, 8.11.3.2).
 *
 * @throws {ServiceError} `unsupported_conversion` when visible text stands where hidden text ends
 */
export function visibleContent(content: Uint8Array, visibility: Visibility): VisibleContent {
  const filter = new ContentFilter(content, visibility);
  for (const operation of operationsIn(content)) filter.take(operation);
  return filter.end();
}

class ContentFilter {
  readonly #content: Uint8Array;
  readonly #visibility: Visibility;
  readonly #edits: Edit[] = [];
  readonly #sections: Section[] = [];
  /** The path that is being made in hidden content. */
  #path: Uint8Array[] = [];
  #isClip = false;
  /** Whether hidden text has moved the place of the text that follows. */
  #isTextMoved = false;
  #textMode = 0;
  readonly #savedModes: number[] = [];
  readonly #removedIds = new Set<number>();
  #losesContent = false;

  constructor(content: Uint8Array, visibility: Visibility) {
    this.#content = content;
    this.#visibility = visibility;
  }

  take(operation: Operation): void {
    const { operator, operands } = operation;
    const isHidden = this.#sections.at(-1)?.isHidden === true;
    if (TEXT_POSITIONING.has(operator)) this.#isTextMoved = false;
    this.#followMode(operation);
    if (operator === "BMC" || operator === "BDC") {
      const hides = isHidden || (operator === "BDC" && this.#begins(operands));
      this.#sections.push({ begin: operation, isHidden: hides, hasLoss: false });
      if (hides) {
        this.#noteLoss();
        this.#drop(operation);
      }
    } else if (operator === "EMC") {
      if (this.#sections.pop()?.isHidden === true) this.#drop(operation);
      // What follows would draw this path, or clip with it.
      if (isHidden && this.#path.length > 0 && this.#sections.at(-1)?.isHidden !== true) throw inseparable();
    } else if (isHidden) this.#takeHidden(operation);
    else if (operator === "Do") this.#draw(operation);
    else if (TEXT_SHOWING.has(operator) && this.#isTextMoved) throw inseparable();
  }

  end(): VisibleContent {
    const removedIds = this.#removedIds;
    const losesContent = this.#losesContent;
    if (this.#edits.length === 0) return { bytes: this.#content, removedIds, losesContent };
    const kept: Uint8Array[] = [];
    let at = 0;
    for (const { start, end, others } of this.#edits.sort((one, other) => one.start - other.start)) {
      kept.push(this.#content.subarray(at, start), ...others, SPACE);
      at = end;
    }
    return { bytes: concatBytes([...kept, this.#content.subarray(at)]), removedIds, losesContent };
  }

  /** Follows the mode in which text is drawn (9.3.6), which is a part of the graphics state. */
  #followMode({ operator, operands }: Operation): void {
    if (operator === "q") this.#savedModes.push(this.#textMode);
    else if (operator === "Q") this.#textMode = this.#savedModes.pop() ?? this.#textMode;
    else if (operator === "Tr") this.#textMode = numberOf(operands.at(-1)) ?? 0;
  }

  /** Notes that the open sections lose something. What their lists say of it goes, too. */
  #noteLoss(): void {
    this.#losesContent = true;
    for (let index = this.#sections.length - 1; index >= 0; index--) {
      const section = this.#sections[index];
      // Then those around it have a loss, too.
      if (!section || section.hasLoss) return;
      section.hasLoss = true;
      if (section.begin.operator === "BDC") this.#loseTexts(section);
    }
  }

  #loseTexts({ begin, isHidden }: Section): void {
    const { start, end, operands } = begin;
    const [, properties] = operands;
    const lexer = new Lexer(this.#content.subarray(start, end));
    const lists =
      properties instanceof PdfName ? this.#visibility.listsOf(properties.value) : listAfterTag(lexer);
    const ids = new Set(lists.flatMap((list) => list.integer("MCID") ?? []));
    for (const id of ids) this.#removedIds.add(id);
    if (isHidden || !lists.some((list) => TEXTS_OF_LIST.some((key) => list.has(key)))) return;
    if (ids.size > 1) throw inseparable();
    const tag = new Lexer(this.#content.subarray(start, end));
    tag.next();
    const [id] = ids;
    const list = id === undefined ? " BMC" : `<</MCID ${id}>>BDC`;
    this.#edits.push({
      start,
      end,
      others: [this.#content.subarray(start, start + tag.at), latin1Bytes(list)],
    });
  }

  #begins(operands: readonly Token[]): boolean {
    const [tag, properties] = operands;
    // Of too many operands, some readers take the first ones, others the last ones. Of very many, the first are not known.
    if (operands.length > 2 && (operands.length >= MOST_OPERANDS || operands.some(isLayerTag)))
      throw inseparable();
    if (!isLayerTag(tag)) return false;
    // A list that stands in the content cannot name a layer.
    return properties instanceof PdfName && this.#visibility.hidesSection(properties.value);
  }

  #draw(operation: Operation): void {
    const name = operation.operands.at(-1);
    if (!(name instanceof PdfName)) return;
    const isHidden = this.#visibility.hidesXObject(name.value);
    if (isHidden) this.#drop(operation);
    if (isHidden || this.#visibility.hidesPartOf(name.value)) this.#noteLoss();
  }

  #takeHidden(operation: Operation): void {
    const { operator, operands, start, end } = operation;
    if (CONSTRUCTION.has(operator) || CLIPPING.has(operator)) {
      this.#path.push(this.#content.subarray(start, end), SPACE);
      this.#isClip ||= CLIPPING.has(operator);
      this.#drop(operation);
    } else if (PATH_PAINTING.has(operator)) {
      this.#drop(operation, this.#isClip ? [...this.#path, latin1Bytes("n")] : [latin1Bytes("n")]);
      this.#path = [];
      this.#isClip = false;
    } else if (TEXT_SHOWING.has(operator)) {
      if (this.#textMode >= FIRST_CLIPPING_MODE) throw inseparable();
      this.#isTextMoved = true;
      this.#drop(operation, [latin1Bytes(lineOf(operator, operands))]);
    } else if (DRAWING.has(operator)) this.#drop(operation);
  }

  /** Drops an operation, and puts others into its place. */
  #drop({ start, end }: Operation, others: readonly Uint8Array[] = []): void {
    this.#edits.push({ start, end, others });
  }
}

const SPACE = latin1Bytes(" ");

/** Returns whether an operand is the tag of a section of optional content (ISO 32000-2, 8.11.3.2). */
function isLayerTag(operand: Token | undefined): boolean {
  return operand instanceof PdfName && operand.value === "OC";
}

/** Returns the property list that stands after the tag of a section. */
function listAfterTag(lexer: Lexer): readonly PdfDict[] {
  if (lexer.next() === END) return [];
  try {
    const list = parseObject(lexer);
    return list instanceof PdfDict ? [list] : [];
  } catch (error) {
    if (error instanceof MalformedObject) throw inseparable();
    throw error;
  }
}

function numberOf(token: Token | undefined): number | undefined {
  if (token instanceof PdfReal) return token.value;
  return typeof token === "number" ? token : undefined;
}

/** Returns what an operator that shows text does besides (ISO 32000-2, Table 107). */
function lineOf(operator: string, operands: readonly Token[]): string {
  if (operator === "'") return "T*";
  if (operator !== '"') return "";
  const [word = 0, character = 0] = operands.map(numberOf);
  return `${word} Tw ${character} Tc T*`;
}

/** Returns the error for hidden content that cannot be told from the visible content around it. */
export function inseparable(): ServiceError {
  return new ServiceError(
    "unsupported_conversion",
    'What a hidden layer draws decides how the visible content after it looks, or it is not clear what is hidden. So it cannot be removed alone. Show the layer before, or keep it: "keep" with "layers".',
    { parameter: "keep", kind: "hidden_text" },
  );
}
