import { expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf } from "../support/fixtures/pdf.ts";

/** The bar at the bottom: what will come out, and the one button. */

let app: AppPage;

openAppForEach((opened) => {
  ({ app } = opened);
  app.write("report.pdf", makePdf({ pages: 6 }));
  const sample = (x: number, y: number) => [(x * y) % 256, (x * 7 + y) % 256, (y * 13) % 256];
  for (const name of ["one.png", "two.png"]) {
    app.write(name, makePng({ width: 700, height: 500, colorType: 2, bitDepth: 8, sample }));
  }
});

const button = () => app.page.locator("#start");
const text = () => app.page.locator(".bar-text");

test("says what will come out, or why nothing can be started", async () => {
  await app.choose("report.pdf");
  await text().getByText("Select pages, or write 1, 3-5.").waitFor();
  expect(await button().getAttribute("aria-disabled")).toBe("true");
  await app.page.getByLabel("Pages", { exact: true }).fill("5, 1");
  await text().getByText("1 PDF, 2 pages").waitFor();
  await text().getByText("from report.pdf").waitFor();
  expect(await button().getAttribute("aria-disabled")).toBeNull();
  await app.radio("Every … pages");
  await text().getByText("3 PDFs, 6 pages").waitFor();
  await app.task("Protect");
  await text().getByText("Choose a password.").waitFor();
  await app.start();
  await app.page.locator("#protect-password:focus").waitFor();
});

test.each([0.05, 0.5, 0.95])("a double click starts, and nothing else: at %f of the button", async (part) => {
  await app.choose("one.png", "two.png");
  const box = await button().boundingBox();
  if (box === null) throw new Error("There is no button");
  await app.page.evaluate(() => {
    const start = document.querySelector<HTMLElement>("#start");
    new MutationObserver(() => {
      const { x, width } = start?.getBoundingClientRect() ?? {};
      const running = { x, width, hasFocus: document.activeElement === start };
      if (start?.dataset.state === "running") Object.assign(window, { running });
    }).observe(document.body, { subtree: true, attributes: true });
  });
  await app.page.mouse.dblclick(box.x + part * box.width, box.y + box.height / 2, { delay: 50 });
  await app.page.getByRole("heading", { name: "2 photos are ready" }).waitFor();
  expect(await app.page.locator(".output").getByText("Saved").count()).toBe(0);
  // It was the same button, with the focus, where it was.
  const running = await app.page.evaluate(() => Reflect.get(window, "running"));
  expect(running).toEqual({ x: box.x, width: box.width, hasFocus: true });
});

test("ends all jobs by the cross, and can start again", async () => {
  await app.choose("one.png", "two.png");
  await app.radio("AVIF");
  await app.start();
  await app.page.getByRole("button", { name: "Cancel all" }).click();
  await app.finished();
  expect(await app.hasFocus(button())).toBe(true);
  expect(await app.page.locator(".result-place").count()).toBe(0);
  await app.radio("PNG");
  await app.start();
  await app.back();
  expect(await button().textContent()).toBe("Show the result");
  expect(await app.hasFocus(button())).toBe(true);
});
