import { element, itemFromTemplate, readableSize } from "./elements.ts";

/** The chosen files, from the file picker or dropped on the page. */
export class ChosenFiles {
  readonly #input = element(document, "#file-input", HTMLInputElement);
  readonly #list = element(document, "#chosen-files", HTMLUListElement);
  readonly #onChange: () => void;
  #files: readonly File[] = [];

  /** @param onChange called after files were added or removed */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
    this.#input.addEventListener("change", () => {
      this.#set([...this.#files, ...(this.#input.files ?? [])]);
      // Otherwise choosing the same file again causes no `change` event.
      this.#input.value = "";
    });
    this.#takeDrops(element(document, "#drop-zone", HTMLLabelElement));
  }

  get files(): readonly File[] {
    return this.#files;
  }

  focus(): void {
    this.#input.focus();
  }

  #takeDrops(zone: HTMLElement): void {
    const mark = (over: boolean) => zone.classList.toggle("over", over);
    document.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      mark(true);
    });
    document.addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) mark(false);
    });
    document.addEventListener("drop", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      mark(false);
      this.#set([...this.#files, ...event.dataTransfer.files]);
    });
  }

  #set(files: readonly File[]): void {
    this.#files = files;
    this.#list.replaceChildren(...files.map((file) => this.#item(file)));
    this.#onChange();
  }

  #item(file: File): HTMLLIElement {
    const item = itemFromTemplate("#chosen-template");
    element(item, ".chosen-name", HTMLSpanElement).textContent = file.name;
    element(item, ".chosen-size", HTMLSpanElement).textContent = readableSize(file.size);
    const remove = element(item, "button", HTMLButtonElement);
    remove.setAttribute("aria-label", `Remove ${file.name}`);
    remove.addEventListener("click", () => {
      this.#set(this.#files.filter((other) => other !== file));
      this.focus();
    });
    return item;
  }
}
