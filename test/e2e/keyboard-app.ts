import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { lockedPdf } from "../support/fixtures/locked-pdf.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

/** How often Tab is pressed at most from the row of a file to the button that starts. */
export const MOST_TABS = 6;

/** The app of the running test, see {@link useKeyboardApp}. */
export let app: AppPage;

/** Opens the app before each test of a file, with files to choose. */
export function useKeyboardApp(): void {
  openAppForEach(
    (opened) => {
      ({ app } = opened);
      app.write("report.pdf", makePdf({ pages: 6 }));
      const sample = (x: number, y: number) => [x, y, 99];
      for (const name of ["photo.png", "other.png"]) {
        app.write(name, makePng({ width: 60, height: 40, colorType: 2, bitDepth: 8, sample }));
      }
      for (const name of ["one.pdf", "two.pdf"]) app.write(name, lockedPdf(passwordOf(name)));
    },
    { viewport: { width: 1280, height: 800 }, serviceWorkers: "block" },
  );
}

/** Returns the password of a locked file. */
export function passwordOf(name: string): string {
  return `opens ${name.replace(".pdf", "")}`;
}
