import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Service } from "../../service/http/service.ts";
import { type Facade, overHttp } from "../support/conformance/facades.ts";
import { FORM_REQUESTS } from "../support/conformance/form-requests.ts";
import { madeByPage, madeOverHttp } from "../support/conformance/made-files.ts";
import { conforms, pageFor } from "../support/conformance/page-facade.ts";
import { LOCAL_REQUESTS } from "../support/conformance/requests.ts";
import type { ServiceRequest } from "../support/conformance/service-request.ts";
import { type NativePicture, vips, vipsDecodes } from "../support/native-pictures.ts";
import { announceMissing, Scratch } from "../support/native-tools.ts";
import { popplerText, qpdfCheck, unzipInto } from "../support/oracles.ts";

// The service answers as the other façades do: the same status, codes and names, and the same files.

const KEY = "conformance-key";
/** Without LibreOffice. `conformance-office.rest.test.ts` tests the service with it. */
const WITHOUT_OFFICE = "an office format without a service";

let service: Service;
beforeAll(async () => {
  service = await Service.start({ key: KEY });
});
afterAll(() => service.close());

describe("by HTTP", () => {
  const facade: Facade = (request) => overHttp(service.url, KEY)(request);
  const requests = [...LOCAL_REQUESTS, ...FORM_REQUESTS].map((request): ServiceRequest => {
    if (request.title !== WITHOUT_OFFICE) return request;
    return { ...request, answer: { code: "unsupported_conversion", details: { from: "docx", to: "pdf" } } };
  });
  test.each(requests)("$title", (request) => conforms(facade, request));
});

const missing = announceMissing("the files of the service", ["qpdf", "pdftotext", "unzip", "vips"]);

describe.skipIf(missing.length > 0)("makes the same files as a page", () => {
  const scratch = new Scratch();
  afterAll(() => scratch.remove());
  const session = pageFor("client.fetch");
  const doors = [madeOverHttp(() => service.url, KEY), madeByPage(session.page)];
  const done = LOCAL_REQUESTS.filter(({ answer }) => "fileName" in answer);

  test.each(done)("$title", async (request) => {
    const password = passwordOf(request);
    const made = [];
    for (const make of doors) {
      const path = scratch.path(nameOf(request));
      writeFileSync(path, await make(request));
      made.push(await seen(path, password));
    }
    const [byService, byPage] = made;
    expect(byService?.map(({ facts }) => facts)).toEqual(byPage?.map(({ facts }) => facts));
    for (const [index, { picture }] of (byService ?? []).entries())
      expect(meanDifference(picture, byPage?.[index]?.picture)).toBeLessThan(2);
  });

  /** What native programs see in a file, or in the files of an archive. */
  async function seen(path: string, password: string | undefined): Promise<readonly Seen[]> {
    if (path.endsWith(".zip")) {
      const folder = scratch.path("unpacked");
      mkdirSync(folder);
      await unzipInto(path, folder);
      const names = readdirSync(folder).toSorted();
      return Promise.all(names.map((name) => factsOf(join(folder, name), password, name)));
    }
    return [await factsOf(path, password, "")];
  }

  async function factsOf(path: string, password: string | undefined, name: string): Promise<Seen> {
    if (/\.pdf$/.test(path)) {
      const { verdict, pageCount, encrypted } = await qpdfCheck(path, password);
      const text = (await popplerText(path, password)).toString("utf8");
      return { facts: { name, verdict, pageCount, encrypted, text } };
    }
    if (/\.txt$/.test(path)) return { facts: { name, size: statSync(path).size } };
    const flat = scratch.path("flat.png");
    await vips("extract_band", path, flat, "0", "--n", "3");
    const picture = await vipsDecodes(flat, scratch.path("decoded"));
    return { facts: { name, width: picture.width, height: picture.height }, picture };
  }
});

/** The properties of a file that must be equal. */
interface Seen {
  readonly facts: object;
  readonly picture?: NativePicture;
}

function nameOf({ answer }: ServiceRequest): string {
  return "fileName" in answer ? answer.fileName : "";
}

/** Returns the password that opens the result. */
function passwordOf({ operation, body }: ServiceRequest): string | undefined {
  if (operation !== "protectPdf" || body === undefined || !("form" in body)) return undefined;
  const [, password] = body.form.find(([name]) => name === "password") ?? [];
  return typeof password === "string" && password !== "" ? password : undefined;
}

function meanDifference(one: NativePicture | undefined, other: NativePicture | undefined): number {
  if (one === undefined || other === undefined) return one === other ? 0 : Number.POSITIVE_INFINITY;
  const sum = one.rgb.reduce((total, value, at) => total + Math.abs(value - (other.rgb[at] ?? 1e9)), 0);
  return sum / one.rgb.length;
}
