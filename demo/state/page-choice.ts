import { split } from "./options.ts";
import { isSorted, type PageGroup, pageGroups, pagesInOrder, sortPages } from "./page-groups.ts";
import { normalizePages } from "./page-selection.ts";
import { selectionOf, setSelection, takesSelection } from "./split-selection.ts";
import type { TrayFile } from "./tray.ts";
import { addStep } from "./undo.ts";

/** Which pages of a document a task takes. The grid shows and changes it. */
export interface PageChoice {
  /** The pages, as a person writes them. */
  text(): string;
  /**
   * Chooses other pages. The user can undo it.
   *
   * @param key tells changes in a row that are one: see `UndoStep`
   */
  set(text: string, key?: unknown): void;
  /** How pages that are chosen become files. */
  way(): "together" | "apart" | "unknown";
  /** Whether the user chooses the pages, rather than a rule. */
  isFree(): boolean;
  /** Whether pages of other files come into the same PDF. */
  readonly hasOthers: boolean;
}

/** The pages that a split takes. */
export function splitChoice(file: TrayFile): PageChoice {
  return {
    text: () => selectionOf(file),
    set: (text, key) => setSelection(file, text, key),
    way: () => {
      if (split.way.value === "together") return "together";
      // How many pages fit into a size is not known before the split.
      return split.way.value === "size" ? "unknown" : "apart";
    },
    isFree: () => takesSelection(split.way.value),
    hasOthers: false,
  };
}

/** All pages of a document, as a selection. */
const ALL = "1-";

/**
 * The pages that come into a merged PDF. Without a choice, these are all, and a change that would leave none is refused. Pages
 * stay in the order of the document unless the user has typed another one.
 */
export function mergeChoice(file: TrayFile): PageChoice {
  const { mergePages, inspection } = file;
  const text = () => (normalizePages(mergePages.value) === "" ? ALL : mergePages.value);
  return {
    text,
    set: (wanted, key) => {
      const before = mergePages.peek();
      const pageCount = inspection.peek()?.pages ?? 0;
      const after = isSorted(text(), pageCount) ? sortPages(wanted, pageCount) : wanted;
      const { length: count } = pagesInOrder(after, pageCount);
      if (count === 0) return;
      const kept = count === pageCount && isSorted(after, pageCount) ? "" : after;
      if (kept === before) return;
      const undo = () => {
        mergePages.value = before;
      };
      addStep({ undo, message: "undone.pages", files: [file], key });
      mergePages.value = kept;
    },
    way: () => "together",
    isFree: () => true,
    hasOthers: true,
  };
}

/** Returns the pages of each file that the chosen pages of a document become. None while they are not known. */
export function chosenGroups(choice: PageChoice, pageCount: number): readonly PageGroup[] {
  const way = choice.way();
  if (way === "unknown") return [];
  if (way === "apart") return pageGroups(choice.text(), pageCount);
  const pages = pagesInOrder(choice.text(), pageCount);
  return pages.length > 0 ? [pages] : [];
}
