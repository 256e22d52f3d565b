import { createClient } from "../src/index.ts";
import { ChosenFiles } from "./chosen-files.ts";
import { element } from "./elements.ts";
import { clearFieldErrors, type Start, setFieldError, showFieldError } from "./field-errors.ts";
import { JobCard } from "./job-card.ts";
import { offerOfficeFormats, officeService } from "./office-service.ts";
import { keepForOffline } from "./offline.ts";
import { OPERATIONS, type Operation } from "./operations.ts";
import { PageThumbnails } from "./page-thumbnails.ts";
import { keepPermissionsTrue } from "./permissions.ts";

const client = createClient({ ...officeService, fontUrl: new URL("fonts/", document.baseURI) });
const form = element(document, "#job-form", HTMLFormElement);
const fileInput = element(document, "#file-input", HTMLInputElement);
const startButton = element(document, "#start", HTMLButtonElement);
const results = element(document, "#results", HTMLElement);
const jobs = element(document, "#jobs", HTMLUListElement);

const splitPages = element(document, "#split-pages", HTMLInputElement);

const thumbnails = new PageThumbnails(client, (page) => {
  const chosenPages = splitPages.value.replace(/[\s,]+$/, "");
  splitPages.value = chosenPages === "" ? String(page) : `${chosenPages}, ${page}`;
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
keepPermissionsTrue(form);
// After a reload, the browser restores the radio buttons.
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
  const start: Start = {
    panel: element(form, ".panel:not([hidden])", HTMLFieldSetElement),
    fields: new FormData(form),
    focused: document.activeElement,
  };
  for (const file of chosen.files) void run(chosenOperation(), file, start);
});

async function run(operation: Operation, file: File, start: Start): Promise<void> {
  const controller = new AbortController();
  const card = new JobCard(operation, file.name, { onCancel: () => controller.abort(), onRemove: remove });
  jobs.prepend(card.element);
  results.hidden = false;
  card.element.scrollIntoView({ block: "nearest" });
  try {
    const result = await operation.run(client, file, start.fields, {
      signal: controller.signal,
      onProgress: (progress) => card.showProgress(progress),
    });
    await card.showResult(result, () => client.release(result));
  } catch (error) {
    if (controller.signal.aborted) {
      card.showCancelled();
      return;
    }
    card.showFailure(error);
    showFieldError(start, error);
  }
}

/** Removes a job from the page. Moves the focus to the next job, because the focused button is removed. */
function remove({ element: card }: JobCard): void {
  const neighbor = card.nextElementSibling ?? card.previousElementSibling;
  const hadFocus = card.contains(document.activeElement);
  card.remove();
  results.hidden = jobs.childElementCount === 0;
  if (!hadFocus) return;
  if (neighbor) element(neighbor, ".job-button", HTMLButtonElement).focus();
  else startButton.focus();
}

function chosenOperation(): Operation {
  const name = new FormData(form).get("operation");
  const operation = typeof name === "string" ? OPERATIONS[name] : undefined;
  if (!operation) throw new Error(`The page has an unknown operation: ${String(name)}`);
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
