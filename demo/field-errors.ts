import { ServiceError } from "../src/index.ts";
import { element } from "./elements.ts";

/** The state of the page when a job was started. */
export interface Start {
  /** The panel of its operation. */
  readonly panel: HTMLElement;
  readonly fields: FormData;
  /** The element that had the focus. */
  readonly focused: Element | null;
}

/**
 * Shows an error beside its field. Does nothing when the user has changed the operation or the field since. Moves the focus
 * only when the user has not moved it.
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

/** Marks a field as invalid with a message. An empty message clears the mark. */
export function setFieldError(field: HTMLInputElement, message: string): void {
  const place = errorPlace(field);
  if (!place) return;
  place.textContent = message;
  place.hidden = message === "";
  if (message === "") field.removeAttribute("aria-invalid");
  else field.setAttribute("aria-invalid", "true");
}

/** Clears the marks of all fields. */
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
