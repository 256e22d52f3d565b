import { computed, signal } from "@preact/signals";
import type { SequenceEntry } from "../../src/index.ts";
import { filesFor, needsPassword } from "./task.ts";
import type { TrayFile } from "./tray.ts";
import { addStep, snapshot } from "./undo.ts";

/** A page of the PDF that organizing makes. */
export interface OrganizedPage {
  /** Tells it apart from all others, also from its copies. */
  readonly id: string;
  readonly file: TrayFile;
  /** Its number in the file, from 1. */
  readonly page: number;
  /** How far it is turned, in degrees clockwise. */
  readonly turn: 0 | 90 | 180 | 270;
}

/** The pages as the user has put them, and the files that they were of. */
interface Arrangement {
  readonly pages: readonly OrganizedPage[];
  readonly files: ReadonlySet<TrayFile>;
}

const UNCHANGED: Arrangement = { pages: [], files: new Set() };

const arrangement = signal(UNCHANGED);

/** The ids of the selected pages. */
export const selectedPages = signal<ReadonlySet<string>>(new Set());

/** The pages of all files, as the user has put them. Those of added files come last. */
export const organizedPages = computed<readonly OrganizedPage[]>(() => {
  const files = filesFor("organize");
  const { pages, files: known } = arrangement.value;
  const here = new Set(files);
  return [
    ...pages.filter(({ file }) => here.has(file)),
    ...files.filter((file) => !known.has(file)).flatMap(pagesOf),
  ];
});

/** Whether the user has changed anything. */
export const isOrganized = computed(() => arrangement.value !== UNCHANGED);

/** Turns pages clockwise, or the other way. */
export function turnPages(ids: ReadonlySet<string>, degrees: 90 | -90): void {
  change(organizedPages.value.map((one) => (ids.has(one.id) ? turned(one, degrees) : one)));
}

/** Takes pages out. */
export function removePages(ids: ReadonlySet<string>): void {
  change(organizedPages.value.filter(({ id }) => !ids.has(id)));
}

let copies = 0;

/** Puts a copy behind each of some pages. */
export function duplicatePages(ids: ReadonlySet<string>): void {
  change(
    organizedPages.value.flatMap((one) =>
      ids.has(one.id) ? [one, { ...one, id: `${one.id} copy ${++copies}` }] : [one],
    ),
  );
}

/**
 * Moves pages, which stay in their order, before another place. A place outside is the nearest end.
 *
 * @param place counted without the pages that move
 * @param key makes the steps of a drag one for undo
 */
export function movePages(ids: ReadonlySet<string>, place: number, key?: unknown): void {
  const pages = organizedPages.value;
  const others = pages.filter(({ id }) => !ids.has(id));
  const index = Math.max(0, Math.min(others.length, place));
  const moved = others.toSpliced(index, 0, ...pages.filter(({ id }) => ids.has(id)));
  if (moved.some((one, at) => one !== pages[at])) change(moved, key);
}

/** Forgets what the user has done to the pages. Returns what brings it back. */
export function forgetOrder(): () => void {
  const putBack = snapshot([arrangement]);
  arrangement.value = UNCHANGED;
  selectedPages.value = new Set();
  return () => {
    // The user may have put other files into order since.
    if (!isOrganized.value) putBack();
  };
}

/** Returns the files of the pages, and the pages as `mergePdf` takes them. */
export function sequenceOf(pages: readonly OrganizedPage[]): {
  readonly files: readonly TrayFile[];
  readonly sequence: readonly SequenceEntry[];
} {
  const files = [...new Set(pages.map(({ file }) => file))];
  const sequence = pages.map(
    ({ file, page, turn }): SequenceEntry => ({
      file: files.indexOf(file),
      page,
      ...(turn !== 0 && { rotate: turn === 270 ? -90 : turn }),
    }),
  );
  return { files, sequence };
}

function change(pages: readonly OrganizedPage[], key?: unknown): void {
  const before = arrangement.value;
  const files = filesFor("organize").filter((file) => pagesOf(file).length > 0);
  addStep({ undo: snapshot([arrangement, selectedPages]), message: "undone.organized", files, key });
  // A removed file may come back.
  const absent = before.pages.filter(({ file }) => !files.includes(file));
  arrangement.value = { pages: [...pages, ...absent], files: new Set([...before.files, ...files]) };
  const ids = new Set(pages.map(({ id }) => id));
  selectedPages.value = new Set([...selectedPages.value].filter((id) => ids.has(id)));
}

/** Returns the pages of a file in its own order. None while they are not known. */
function pagesOf(file: TrayFile): readonly OrganizedPage[] {
  const { pages, images } = file.inspection.value ?? {};
  const count = needsPassword(file) ? 0 : (pages ?? images ?? 0);
  return Array.from({ length: count }, (_, index) => ({
    id: `${file.id}-${index + 1}`,
    file,
    page: index + 1,
    turn: 0,
  }));
}

function turned(page: OrganizedPage, degrees: 90 | -90): OrganizedPage {
  const turn = ((page.turn + degrees + 360) % 360) as OrganizedPage["turn"];
  return { ...page, turn };
}
