import { ServiceError } from "../../../src/shared/errors.ts";
import { concatBytes } from "../../io/concat-bytes.ts";
import { latin1, latin1Bytes } from "../syntax/characters.ts";
import type { Token } from "../syntax/lexer.ts";
import { PdfName, PdfReal } from "../syntax/objects.ts";
import { type Operation, operationsIn } from "./content-operations.ts";

/** Says what of content is hidden. */
export interface Visibility {
  /** @param properties the name of the property list of a section of optional content */
  hidesSection(properties: string): boolean;
  hidesXObject(name: string): boolean;
}

const CONSTRUCTION = new Set(["m", "l", "c", "v", "y", "h", "re"]);
const CLIPPING = new Set(["W", "W*"]);
const PATH_PAINTING = new Set(["S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "n"]);
const TEXT_SHOWING = new Set(["Tj", "TJ", "'", '"']);
/** Operators after which text is at a place that no shown text decides. */
const TEXT_POSITIONING = new Set(["BT", "ET", "Td", "TD", "Tm", "T*", "'", '"']);
/** Operators that draw by themselves, and those that mark content. */
const DRAWING = new Set(["Do", "sh", "BI", "MP", "DP"]);

/** Content without its hidden parts. */
export interface VisibleContent {
  /** The same bytes when nothing is hidden. */
  readonly bytes: Uint8Array;
  /** The identifiers of marked content that has gone (ISO 32000-2, 14.7.5.2). */
  readonly removedIds: ReadonlySet<number>;
}

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
  readonly #kept: Uint8Array[] = [];
  /** What is before is kept or dropped already. */
  #at = 0;
  #isChanged = false;
  /** For each open section of marked content, whether it is hidden. */
  readonly #sections: boolean[] = [];
  /** The path that is being made in hidden content. */
  #path: Uint8Array[] = [];
  #isClip = false;
  /** Whether hidden text has moved the place of the text that follows. */
  #isTextMoved = false;
  readonly #removedIds = new Set<number>();

  constructor(content: Uint8Array, visibility: Visibility) {
    this.#content = content;
    this.#visibility = visibility;
  }

  take(operation: Operation): void {
    const { operator, operands } = operation;
    const isHidden = this.#sections.at(-1) === true;
    if (TEXT_POSITIONING.has(operator)) this.#isTextMoved = false;
    if (operator === "BMC" || operator === "BDC") {
      const hides = isHidden || (operator === "BDC" && this.#begins(operands));
      this.#sections.push(hides);
      if (hides) {
        this.#noteId(operation);
        this.#drop(operation);
      }
    } else if (operator === "EMC") {
      if (this.#sections.pop() === true) this.#drop(operation);
    } else if (isHidden) this.#takeHidden(operation);
    else if (operator === "Do" && this.#drawsHidden(operands)) this.#drop(operation);
    else if (TEXT_SHOWING.has(operator) && this.#isTextMoved) throw inseparable();
  }

  end(): VisibleContent {
    const bytes = this.#isChanged
      ? concatBytes([...this.#kept, this.#content.subarray(this.#at)])
      : this.#content;
    return { bytes, removedIds: this.#removedIds };
  }

  #noteId({ start, end }: Operation): void {
    const id = MARKED_CONTENT_ID.exec(
      latin1(this.#content.subarray(start, Math.min(end, start + LONGEST_MARK))),
    );
    if (id?.[1] !== undefined) this.#removedIds.add(Number(id[1]));
  }

  #begins([tag, properties]: readonly Token[]): boolean {
    if (!(tag instanceof PdfName) || tag.value !== "OC") return false;
    // A list that stands in the content cannot name a layer.
    return properties instanceof PdfName && this.#visibility.hidesSection(properties.value);
  }

  #drawsHidden([name]: readonly Token[]): boolean {
    return name instanceof PdfName && this.#visibility.hidesXObject(name.value);
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
      this.#isTextMoved = true;
      this.#drop(operation, [latin1Bytes(lineOf(operator, operands))]);
    } else if (DRAWING.has(operator)) this.#drop(operation);
  }

  /** Drops an operation, and puts others into its place. */
  #drop({ start, end }: Operation, others: readonly Uint8Array[] = []): void {
    this.#kept.push(this.#content.subarray(this.#at, start), ...others, SPACE);
    this.#at = end;
    this.#isChanged = true;
  }
}

const SPACE = latin1Bytes(" ");
/** The identifier in a property list, and how long a list may be to be searched for it. */
const MARKED_CONTENT_ID = /\/MCID\s+(\d+)/;
const LONGEST_MARK = 65_536;

/** Returns what an operator that shows text does besides (ISO 32000-2, Table 107). */
function lineOf(operator: string, operands: readonly Token[]): string {
  if (operator === "'") return "T*";
  if (operator !== '"') return "";
  const [word = 0, character = 0] = operands.map((token) =>
    token instanceof PdfReal ? token.value : Number(token),
  );
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
