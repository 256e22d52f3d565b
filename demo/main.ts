import { createClient } from "../src/index.ts";
import { ChosenFiles } from "./chosen-files.ts";
import { element } from "./elements.ts";
import { clearFieldErrors, setFieldError, showFieldError } from "./field-errors.ts";
import { JobCard } from "./job-card.ts";
import { offerOfficeFormats, officeService } from "./office-service.ts";
import { keepForOffline } from "./offline.ts";
import { OPERATIONS, type Operation } from "./operations.ts";
import { PageThumbnails } from "./page-thumbnails.ts";

const client = createClient({ ...officeService, fontUrl: new URL("fonts/", document.baseURI) });
const form = element(document, "#job-form", HTMLFormElement);
const fileInput = element(document, "#file-input", HTMLInputElement);
const startButton = element(document, "#start", HTMLButtonElement);
const results = element(document, "#results", HTMLElement);
const jobs = element(document, "#jobs", HTMLUListElement);

const splitPages = element(document, "#split-pages", HTMLInputElement);

const thumbnails = new PageThumbnails(client, (page) => {
  splitPages.value = splitPages.value.trim() === "" ? String(page) : `${splitPages.value}, ${page}`;
});
const chosen = new ChosenFiles(() => {
  setFieldError(fileInput, "");
  nameStartButton();
  showThumbnails();
});

for (const radio of form.querySelectorAll('input[name="operation"]')) {
  radio.addEventListener("change", showChosenPanel);
}
offerOfficeFormats(form);
// A reload keeps the radio buttons as they were.
showChosenPanel();
void keepForOffline();

form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearFieldErrors(form);
  if (chosen.files.length === 0) {
    setFieldError(fileInput, "Choose a file first.");
    chosen.focus();
    return;
  }
  const fields = new FormData(form);
  for (const file of chosen.files) void start(chosenOperation(), file, fields);
});

async function start(operation: Operation, file: File, fields: FormData): Promise<void> {
  const controller = new AbortController();
  const card = new JobCard(operation, file.name, () => controller.abort());
  jobs.prepend(card.element);
  results.hidden = false;
  card.element.scrollIntoView({ block: "nearest" });
  try {
    const result = await operation.run(client, file, fields, {
      signal: controller.signal,
      onProgress: (progress) => card.showProgress(progress),
    });
    await card.showResult(result, () => {
      client.release(result);
      card.element.remove();
    });
  } catch (error) {
    if (controller.signal.aborted) {
      card.showCancelled();
      return;
    }
    card.showFailure(error);
    showFieldError(form, error);
  }
}

function chosenOperation(): Operation {
  const name = new FormData(form).get("operation");
  const operation = typeof name === "string" ? OPERATIONS[name] : undefined;
  if (!operation) throw new Error(`The page offers an operation that it does not know: ${String(name)}`);
  return operation;
}

function showChosenPanel(): void {
  const name = new FormData(form).get("operation");
  for (const panel of form.querySelectorAll<HTMLFieldSetElement>(".panel")) {
    const shown = panel.dataset.operation === name;
    panel.hidden = !shown;
    panel.disabled = !shown;
  }
  clearFieldErrors(form);
  nameStartButton();
  showThumbnails();
}

function showThumbnails(): void {
  const [only] = chosen.files;
  const isSplit = new FormData(form).get("operation") === "split";
  thumbnails.show(isSplit && chosen.files.length === 1 ? only : undefined);
}

function nameStartButton(): void {
  const { length } = chosen.files;
  startButton.textContent = chosenOperation().label + (length > 1 ? ` ${length} files` : "");
}
