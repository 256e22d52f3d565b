import type { ClientOptions } from "../src/index.ts";
import { element } from "./elements.ts";

const { VITE_SERVICE_URL: url, VITE_SERVICE_KEY: key } = import.meta.env;

/** The service for office formats, when the demo was started with one: `npm start -- --service`. */
export const officeService: ClientOptions = url
  ? {
      baseUrl: url,
      apiKey: key,
      // Users do not expect it, because all other files stay on the device.
      onRemote: ({ file, to }) =>
        confirm(
          `${"name" in file ? file.name : "The file"} leaves this device to become ${to.toUpperCase()}, at ${url}.`,
        ),
    }
  : {};

const FORMATS = ["docx", "xlsx", "pptx", "odt", "ods", "odp"];

/** Offers office formats when there is a service. Changes the promise on the page accordingly. */
export function offerOfficeFormats(form: HTMLFormElement): void {
  if (!url) return;
  element(document, "#promise", HTMLParagraphElement).textContent =
    "Everything happens in this tab, and no file, no password and no page leaves your machine, but for conversions " +
    `from or to office formats: these send the file to ${url}, each only after you have been asked.`;
  const formats = element(form, 'select[name="output_format"]', HTMLSelectElement);
  for (const format of FORMATS) formats.add(new Option(format.toUpperCase(), format));
  const input = element(form, 'input[type="file"]', HTMLInputElement);
  input.accept += FORMATS.concat("doc", "xls", "ppt", "rtf")
    .map((format) => `,.${format}`)
    .join("");
}
