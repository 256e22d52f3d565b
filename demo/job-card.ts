import { type Progress, ServiceError, type ServiceResult } from "../src/index.ts";
import { element, itemFromTemplate, readableSize } from "./elements.ts";
import type { Operation } from "./operations.ts";

const PHASES: Readonly<Record<Progress["phase"], string>> = {
  queued: "Waiting for its turn",
  reading: "Reading",
  working: "Working",
  writing: "Writing",
  uploading: "Uploading",
  downloading: "Downloading",
};

/** Shows one file in one operation: progress, then result or error. */
export class JobCard {
  readonly element = itemFromTemplate("#job-template");
  readonly #operation: Operation;
  readonly #fileName: string;
  readonly #button = element(this.element, ".job-button", HTMLButtonElement);
  readonly #phase = element(this.element, ".job-phase", HTMLSpanElement);
  readonly #bar = element(this.element, "progress", HTMLProgressElement);
  readonly #onRemove: (card: JobCard) => void;
  #onButton: () => void;

  constructor(
    operation: Operation,
    fileName: string,
    { onCancel, onRemove }: { onCancel: () => void; onRemove: (card: JobCard) => void },
  ) {
    this.#operation = operation;
    this.#fileName = fileName;
    this.#onRemove = onRemove;
    this.#onButton = onCancel;
    this.#setTitle(operation.doing);
    this.#setButton("Cancel", onCancel);
    this.#bar.setAttribute("aria-label", `${operation.doing} ${fileName}`);
    this.#button.addEventListener("click", () => this.#onButton());
  }

  showProgress({ phase, done, total, missingFonts }: Progress): void {
    if (missingFonts !== undefined) this.#warnOfFonts(missingFonts);
    const label = PHASES[phase];
    if (this.#phase.textContent !== label) this.#phase.textContent = label;
    if (total > 0) {
      this.#bar.max = total;
      this.#bar.value = done;
    } else {
      this.#bar.removeAttribute("value");
    }
  }

  /** Warns about text that is missing in the pictures. */
  #warnOfFonts(names: readonly string[]): void {
    const warning = element(this.element, ".job-warning", HTMLParagraphElement);
    warning.textContent = `Text is missing: there is no substitute here for ${names.join(", ")}.`;
    warning.hidden = false;
  }

  /** @param release called when the user removes the result */
  async showResult({ download_url, file_name }: ServiceResult, release: () => void): Promise<void> {
    this.#end("done", this.#operation.done, "Remove", () => {
      release();
      this.#onRemove(this);
    });
    const link = document.createElement("a");
    link.className = "save";
    link.href = download_url;
    link.download = file_name;
    link.textContent = `Save ${file_name}`;
    const place = element(this.element, ".job-result", HTMLParagraphElement);
    place.prepend(link, " ");
    place.hidden = false;
    element(this.element, ".job-size", HTMLSpanElement).textContent = await sizeOf(download_url);
  }

  showFailure(error: unknown): void {
    this.#end("failed", "Could not finish", "Dismiss", () => this.#onRemove(this));
    const message = error instanceof Error ? error.message : String(error);
    element(this.element, ".job-message", HTMLSpanElement).textContent = message;
    const code = element(this.element, ".job-code", HTMLElement);
    code.textContent = error instanceof ServiceError ? error.code : "";
    element(this.element, ".job-error", HTMLParagraphElement).hidden = false;
  }

  showCancelled(): void {
    this.#end("canceled", "Cancelled", "Dismiss", () => this.#onRemove(this));
  }

  #end(state: "done" | "failed" | "canceled", title: string, button: string, onButton: () => void): void {
    this.element.dataset.state = state;
    this.#setTitle(title);
    this.#setButton(button, onButton);
    element(this.element, ".job-progress", HTMLDivElement).hidden = true;
  }

  #setTitle(operation: string): void {
    element(this.element, ".job-operation", HTMLSpanElement).textContent = operation;
    element(this.element, ".job-file", HTMLSpanElement).textContent = this.#fileName;
  }

  #setButton(label: string, onClick: () => void): void {
    this.#button.textContent = label;
    this.#button.setAttribute("aria-label", `${label} ${this.#fileName}`);
    this.#onButton = onClick;
  }
}

/** Returns the size of the file behind a blob URL without reading it. Empty when the URL was released. */
async function sizeOf(url: string): Promise<string> {
  const response = await fetch(url).catch(() => undefined);
  if (response === undefined) return "";
  await response.body?.cancel();
  return readableSize(Number(response.headers.get("Content-Length")));
}
