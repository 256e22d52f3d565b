/** Returns the element of a selector. Throws when it is missing or of another kind. */
export function element<Kind extends HTMLElement>(
  root: ParentNode,
  selector: string,
  kind: new () => Kind,
): Kind {
  const found = root.querySelector(selector);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} at ${selector}`);
}

/** Returns a copy of the list item in a `<template>`. */
export function itemFromTemplate(selector: string): HTMLLIElement {
  const copy = element(document, selector, HTMLTemplateElement).content.cloneNode(true);
  if (!(copy instanceof DocumentFragment)) throw new Error(`${selector} is empty`);
  return element(copy, "li", HTMLLIElement);
}

/** Formats a number of bytes for people. */
export function readableSize(bytes: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat("en", {
    style: "unit",
    unit: units[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}
