import { expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { announceMissing } from "../support/native-tools.ts";
import { qpdfCheck } from "../support/oracles.ts";

const NO_WITNESSES = announceMissing("the results of the app as inputs", ["qpdf"]).length > 0;

let app: AppPage;

openAppForEach((opened) => {
  ({ app } = opened);
  const sample = (x: number, y: number) => [(x * 3) % 256, y % 256, 99];
  for (const name of ["one.png", "two.png"]) {
    app.write(name, makePng({ width: 60, height: 40, colorType: 2, bitDepth: 8, sample }));
  }
});

const press = (name: string) => app.page.getByRole("button", { name, exact: true }).click();

test.skipIf(NO_WITNESSES)("makes one protected PDF of photos without saving in between", async () => {
  await app.choose("one.png", "two.png");
  await app.start();
  const name = app.page.getByLabel("Name of one.jpg");
  await name.fill("lake");
  await name.press("Enter");
  await press("Make one PDF");
  await app.row("lake.jpg").waitFor();
  await app.page.locator(".row:focus").waitFor();
  await app.start();
  await app.page.getByRole("heading", { name: "1 PDF is ready" }).waitFor();
  await app.page.locator(".continue").getByRole("button", { name: "Protect" }).click();
  await app.page.getByLabel("Password", { exact: true }).fill("secret");
  await app.page.getByLabel("Repeat the password").fill("secret");
  await app.start();
  const file = await app.save("protected-lake.pdf");
  expect(await qpdfCheck(file, "secret")).toMatchObject({ verdict: "ok", pageCount: 2, encrypted: true });
  // No earlier result is lost.
  await press("Back to the earlier result");
  await app.save("lake.pdf");
  // Sooner, it would be a double click.
  await app.page.waitForTimeout(400);
  await press("Back to the earlier result");
  await app.save("lake.jpg");
  await app.row("one.png").waitFor();
});

test("starts over, and brings all of it back", async () => {
  await app.choose("one.png", "two.png");
  await app.start();
  await press("Start over");
  await app.page.locator(".welcome").waitFor();
  await app.page.getByRole("button", { name: "Undo" }).click();
  await app.row("two.png").waitFor();
  await app.showResult();
  await app.save("one.jpg");
});

test("keeps the options for the next visit, and photos under 1 MB on the start page", async () => {
  await app.choose("one.png");
  await app.page.getByText("More options", { exact: true }).click();
  await app.page.getByLabel("At most").fill("1");
  await press("Keep on the start page");
  await app.task("Shrink");
  await app.radio("For the web");
  await app.page.reload();
  const preset = app.page.getByRole("list", { name: "Your presets" });
  await preset.getByRole("listitem").getByText("JPG under 1 MB").waitFor();
  await app.choose("one.png");
  await app.task("Shrink");
  expect(await app.page.getByRole("radio", { name: "For the web" }).isChecked()).toBe(true);
  await press("Remove all");
  await Promise.all([
    app.page.waitForEvent("filechooser"),
    preset.getByRole("button", { name: "JPG under 1 MB", exact: true }).click(),
  ]);
  await app.choose("two.png");
  expect(await app.page.getByLabel("At most").inputValue()).toBe("1");
  await press("Remove all");
  await press("Remove JPG under 1 MB");
  expect(await preset.getByRole("listitem").count()).toBe(0);
});
