import { ServiceError } from "../src/index.ts";
import { element } from "./elements.ts";

/** What a job was started with. */
export interface Start {
  /** The panel of its operation. */
  readonly panel: HTMLElement;
  readonly fields: FormData;
  /** What had the focus. */
  readonly focused: Element | null;
}

/**
 * Shows a failure where it can be mended: beside the field that it is about, when it is about one that still says what
 * failed. Whoever went on meanwhile, to another operation, value or field, is left alone.
 */
export function showFieldError({ panel, fields, focused }: Start, error: unknown): void {
  if (!(error instanceof ServiceError) || panel.hidden) return;
  const name = fieldOf(error);
  const field = name === undefined ? null : panel.querySelector(`[name="${name}"]`);
  if (!(field instanceof HTMLInputElement)) return;
  if (field.type !== "checkbox" && fields.get(field.name) !== field.value) return;

  setFieldError(field, error.message);
  const details = field.closest("details");
  if (details) details.open = true;
  const { activeElement } = document;
  if (activeElement !== focused && activeElement !== document.body) return;
  field.focus();
  const { position } = error.details;
  if (name === "pages" && typeof position === "number") field.setSelectionRange(position, position + 1);
}

/** Marks a field as wrong and says why, or clears it when there is no message. */
export function setFieldError(field: HTMLInputElement, message: string): void {
  const place = errorPlace(field);
  if (!place) return;
  place.textContent = message;
  place.hidden = message === "";
  if (message === "") field.removeAttribute("aria-invalid");
  else field.setAttribute("aria-invalid", "true");
}

/** Forgets what the fields were told. */
export function clearFieldErrors(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll("input")) setFieldError(field, "");
}

function fieldOf(error: ServiceError): string | undefined {
  switch (error.code) {
    case "wrong_password":
    case "password_required":
      return "password";
    case "invalid_page_selection":
      return "pages";
    default: {
      const { parameter } = error.details;
      return typeof parameter === "string" ? parameter : undefined;
    }
  }
}

function errorPlace(field: HTMLInputElement): HTMLElement | undefined {
  const describer =
    field.getAttribute("aria-describedby") ?? field.closest("fieldset")?.getAttribute("aria-describedby");
  const id = describer?.split(" ").find((one) => one.endsWith("-error"));
  return id === undefined ? undefined : element(document, `#${id}`, HTMLParagraphElement);
}
