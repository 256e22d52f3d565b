import { describe, expect, test } from "vitest";
import { type AppPage, openAppForEach } from "../support/browsers/app-page.ts";
import { makePng } from "../support/fixtures/image/png.ts";
import { makePdf } from "../support/fixtures/pdf.ts";
import { announceMissing } from "../support/native-tools.ts";
import { qpdfCheck, unzipNames } from "../support/oracles.ts";

const NO_WITNESSES = announceMissing("the results of the app", ["qpdf", "unzip"]).length > 0;

let app: AppPage;

openAppForEach((opened) => {
  ({ app } = opened);
  app.write("report.pdf", makePdf({ pages: 6 }));
  app.write("letter.pdf", makePdf({ pages: 2 }));
});

const passwords = () => [
  app.page.getByLabel("Password", { exact: true }),
  app.page.getByLabel("Repeat the password"),
];

async function typePassword(password: string): Promise<void> {
  for (const field of passwords()) await field.fill(password);
}

const outdated = () => app.page.locator(".output").getByText("Made with earlier settings.");

describe.skipIf(NO_WITNESSES)("with native tools that read the output", () => {
  test("never saves a file with another password than the one that is typed", async () => {
    await app.choose("report.pdf");
    await app.task("Protect");
    await typePassword("first");
    await app.start();
    await app.page.locator("#save-all").waitFor();
    await app.back();
    await typePassword("second");
    await app.page.getByRole("status").getByText("1 result of earlier settings is left out").waitFor();
    await app.showResult();
    await outdated().waitFor();
    expect(await app.page.locator("#save-all").count()).toBe(0);
    // It can still be saved, as what it is.
    expect((await qpdfCheck(await app.save("protected-report.pdf"), "first")).verdict).toBe("ok");
    await app.back();
    await app.start();
    await app.page.locator("#save-all").waitFor();
    expect(await outdated().count()).toBe(0);
    expect((await qpdfCheck(await app.saveAll("protected-report.pdf"), "second")).verdict).toBe("ok");
  });

  test("saves all results of one task, and leaves out those of another resolution", async () => {
    await app.choose("report.pdf", "letter.pdf");
    await app.task("Merge");
    await app.start();
    await app.page.locator("#save-all").waitFor();
    await app.task("Convert");
    expect(await app.page.locator("#save-all").count()).toBe(0);
    await app.start();
    const names = [...[1, 2, 3, 4, 5, 6].map((page) => `report-${page}.jpg`), "letter-1.jpg", "letter-2.jpg"];
    expect(await unzipNames(await app.saveAll("stayput.zip"))).toEqual(names);
    await app.back();
    await app.page.getByText("More options", { exact: true }).click();
    await app.page.getByLabel("Resolution of pages (dpi)").fill("72");
    await app.showResult();
    await expect.poll(() => outdated().count()).toBe(8);
    // The merge is still the one of its files.
    await app.task("Merge");
    await app.page.getByRole("heading", { name: "1 PDF is ready" }).waitFor();
    expect(await outdated().count()).toBe(0);
  });
});

test("removes everything, and takes no password along to another file", async () => {
  await app.choose("report.pdf", "letter.pdf");
  await app.task("Merge");
  await app.start();
  await app.page.locator(".output").waitFor();
  await app.task("Protect");
  await typePassword("secret");
  await app.start();
  await app.finished();
  await app.page.getByRole("button", { name: "Remove all" }).click();
  await app.page.locator(".welcome").waitFor();
  expect(await app.page.locator("#summary").count()).toBe(0);
  app.write("other.pdf", makePdf({ pages: 1 }));
  await app.choose("other.pdf");
  for (const field of passwords()) expect(await field.inputValue()).toBe("");
  expect(await app.page.locator(".row.merged, .result-place").count()).toBe(0);
});

test("undoes the selection of pages by keys in the grid", async () => {
  await app.choose("report.pdf");
  const page = (number: number) => app.page.locator(`.page[data-page="${number}"]`);
  const field = app.page.getByLabel("Pages", { exact: true });
  await page(2).click();
  await page(4).click();
  await page(5).click({ modifiers: ["Shift"] });
  expect(await field.inputValue()).toBe("2, 4-5");
  await page(4).focus();
  for (const before of ["2, 4", "2", ""]) {
    await app.page.keyboard.press("Control+z");
    await expect.poll(() => field.inputValue()).toBe(before);
  }
});

test("takes German words as pages", async () => {
  await app.page.getByRole("button", { name: "Deutsch" }).click();
  await app.choose("report.pdf");
  const field = app.page.getByLabel("Seiten", { exact: true });
  await field.fill("letzte");
  expect(await app.page.locator('.page[aria-selected="true"]').getAttribute("data-page")).toBe("6");
  await app.start();
  await app.page.getByLabel("Name von pages-report.pdf").waitFor();
  await app.back();
  await app.page.getByRole("button", { name: "ungerade" }).click();
  expect(await field.inputValue()).toBe("ungerade");
});

test("says before saving that a picture has become larger", async () => {
  // A plain color, which is a few bytes as PNG.
  app.write(
    "plain.png",
    makePng({ width: 64, height: 64, colorType: 2, bitDepth: 8, sample: () => [200, 30, 90] }),
  );
  await app.choose("plain.png");
  await app.start();
  await app.page
    .locator(".output")
    .getByText(/^Larger than the original \(\d+/)
    .waitFor();
  await app.page.locator(".result-facts").getByText("1 is larger than expected").waitFor();
});
