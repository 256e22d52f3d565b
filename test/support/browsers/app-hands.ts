/**
 * The hands of a person in the app, for browsers that no other tool can drive alike. Runs beside the app, in the same
 * document. What a browser does not let a script do, such as a click on a link that saves, is caught and answered here.
 */

/** A file on the server of the test. */
interface ServedFile {
  readonly name: string;
  readonly url: string;
}

/** Something that a person sees, by its name for screen readers. */
interface Seen {
  /** A regular expression of the whole name. */
  readonly name: string;
  /** A selector that narrows the choice. */
  readonly within?: string;
}

interface Key {
  readonly key: string;
  readonly ctrlKey?: boolean;
  readonly altKey?: boolean;
}

const CONTROLS =
  "button, a[href], input, select, textarea, label, summary, [role=option], [role=button], [role=radio]";

/** Longer than any job of a flow takes on a slow machine. */
const LIMIT_MS = 240_000;

/** Waits until a search finds something. */
async function until<Found>(what: string, find: () => Found | null | undefined | false): Promise<Found> {
  const end = performance.now() + LIMIT_MS;
  while (performance.now() < end) {
    const found = find();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`there is no ${what}; the page says: ${document.body.textContent.slice(0, 2000)}`);
}

function nameOf(element: Element): string {
  const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
  const hidden = element.querySelector(".visually-hidden")?.textContent;
  const text = element.ariaLabel ?? labels[0]?.textContent ?? hidden ?? element.textContent ?? "";
  return text.replaceAll(/\s+/g, " ").trim();
}

const isSeen = (element: Element) => element.getClientRects().length > 0;
const isEnabled = (element: Element) => !element.matches(":disabled");

function findControl({ name, within = "body" }: Seen): HTMLElement | undefined {
  const pattern = new RegExp(`^(?:${name})$`);
  const all = [...document.querySelectorAll(within)].flatMap((one) => [
    ...one.querySelectorAll<HTMLElement>(CONTROLS),
  ]);
  return all.find((one) => isSeen(one) && isEnabled(one) && pattern.test(nameOf(one)));
}

const control = (seen: Seen) => until(JSON.stringify(seen), () => findControl(seen));

async function load({ name, url }: ServedFile): Promise<File> {
  const content = await (await fetch(url)).blob();
  return new File([content], name);
}

async function transferOf(files: readonly ServedFile[]): Promise<DataTransfer> {
  const transfer = new DataTransfer();
  for (const file of await Promise.all(files.map(load))) transfer.items.add(file);
  return transfer;
}

/** Returns a file as an entry of a folder. */
function entryOf(file: File) {
  return {
    name: file.name,
    isFile: true,
    isDirectory: false,
    file: (done: (file: File) => void) => done(file),
  };
}

/** Returns what reads the entries of a folder: a hundred at a time, as Chromium does. */
function readerOf(entries: readonly object[]) {
  let at = 0;
  return {
    readEntries(done: (some: readonly object[]) => void) {
      done(entries.slice(at, at + 100));
      at += 100;
    },
  };
}

/** Drops entries on the page. No script can make real ones: WebKit never reads those of its own data transfers. */
function drop(entries: readonly object[]): void {
  const items = entries.map((entry) => ({ kind: "file", webkitGetAsEntry: () => entry }));
  for (const type of ["dragover", "drop"]) {
    const event = new DragEvent(type, { bubbles: true, cancelable: true });
    Object.defineProperty(event, "dataTransfer", { value: { items, files: [], types: ["Files"] } });
    document.body.dispatchEvent(event);
  }
}

/** Does something with the mouse in the middle of an element. */
function point(type: string, element: Element): void {
  const { left, top, width, height } = element.getBoundingClientRect();
  const place = { clientX: left + width / 2, clientY: top + height / 2 };
  const pointer = { pointerId: 1, pointerType: "mouse", isPrimary: true, button: 0, buttons: 1 };
  element.dispatchEvent(new PointerEvent(type, { ...place, ...pointer, bubbles: true, cancelable: true }));
}

/** The link that the app has clicked to save a file. */
let saved: HTMLAnchorElement | undefined;
const click = HTMLAnchorElement.prototype.click;
HTMLAnchorElement.prototype.click = function () {
  if (this.download === "") click.call(this);
  else saved = this;
};

const HANDS = {
  /** Chooses files in the dialog of the browser. */
  async chooseFiles(files: readonly ServedFile[]): Promise<void> {
    const transfer = await transferOf(files);
    const input = await until("input for files", () =>
      document.querySelector<HTMLInputElement>("#file-input"),
    );
    input.files = transfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  },

  /** Drops files on the page. */
  async dropFiles(files: readonly ServedFile[]): Promise<void> {
    drop(await Promise.all(files.map(async (file) => entryOf(await load(file)))));
  },

  /** Drops a folder on the page, in which some files are. */
  async dropFolder(files: readonly ServedFile[]): Promise<void> {
    const entries = await Promise.all(files.map(async (file) => entryOf(await load(file))));
    drop([{ name: "folder", isFile: false, isDirectory: true, createReader: () => readerOf(entries) }]);
  },

  /** Waits until the page says something, and returns it. `text` is a regular expression. */
  async read(text: string): Promise<string> {
    return until(text, () => new RegExp(text).exec(document.body.textContent)?.[0]);
  },

  /** Waits until as many things of a kind are there. */
  async count({ selector, count }: { selector: string; count: number }): Promise<void> {
    await until(`${count} of ${selector}`, () => document.querySelectorAll(selector).length === count);
  },

  async press(seen: Seen): Promise<void> {
    const found = await control(seen);
    found.focus();
    for (const type of ["pointerdown", "pointerup"]) point(type, found);
    found.click();
  },

  async type({ text, ...seen }: Seen & { readonly text: string }): Promise<void> {
    const found = await until(JSON.stringify(seen), () => {
      const one = findControl(seen);
      return one instanceof HTMLLabelElement ? one.control : one;
    });
    if (!(found instanceof HTMLInputElement || found instanceof HTMLSelectElement))
      throw new Error(`${seen.name} takes no text`);
    found.focus();
    found.value = text;
    for (const type of ["input", "change"]) found.dispatchEvent(new Event(type, { bubbles: true }));
  },

  /** Presses a key where the focus is. */
  async key(key: Key): Promise<void> {
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent("keydown", { ...key, bubbles: true, cancelable: true }));
    target.dispatchEvent(new KeyboardEvent("keyup", { ...key, bubbles: true, cancelable: true }));
  },

  /** Drags the mouse from the first of some controls over the others to the last. */
  async drag(names: readonly string[]): Promise<void> {
    const found = await Promise.all(names.map((name) => control({ name })));
    const [first] = found;
    const last = found.at(-1);
    if (first === undefined || last === undefined) throw new Error("nothing to drag");
    point("pointerdown", first);
    for (const element of found) for (const type of ["pointerover", "pointermove"]) point(type, element);
    point("pointerup", last);
  },

  /** Where the focus is: the name of the element, or its selector if it has none. */
  async focus(): Promise<string> {
    const element = document.activeElement ?? document.body;
    return nameOf(element).slice(0, 80) || element.tagName.toLowerCase();
  },

  /** Presses a button that saves, sends the file to the server, and returns its name and size. */
  async save({ url, ...seen }: Seen & { readonly url: string }): Promise<{ name: string; size: number }> {
    saved = undefined;
    (await control(seen)).click();
    const { href, download } = await until("link that saves", () => saved);
    const content = await (await fetch(href)).blob();
    await fetch(url, { method: "POST", body: content });
    return { name: download, size: content.size };
  },
};

export type Hands = typeof HANDS;

Object.assign(window, HANDS);
await until("input for files", () => document.querySelector("#file-input"));
document.title = "ready";
