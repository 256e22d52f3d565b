import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Service } from "../../service/http/service.ts";
import { findOffice } from "../../service/office/find-office.mjs";
import { type Facade, fromPage, overHttp } from "../support/conformance/facades.ts";
import { OFFICE_REQUESTS } from "../support/conformance/office-requests.ts";
import { conforms, pageFor, WAYS } from "../support/conformance/page-facade.ts";
import { docx } from "../support/fixtures/office/documents.ts";

const KEY = "conformance-key";
const soffice = findOffice();
if (soffice === undefined)
  process.stderr.write("SKIPPED: conformance of the remote service: no LibreOffice\n");

describe.skipIf(soffice === undefined)("with the remote service", () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start({ soffice: soffice ?? "", key: KEY });
  });
  afterAll(() => service.close());

  describe("by HTTP", () => {
    const facade: Facade = (request) => overHttp(service.url, KEY)(request);
    test.each(OFFICE_REQUESTS)("$title", (request) => conforms(facade, request));
  });

  describe.each(WAYS)("by %s", (way) => {
    const session = pageFor(way, () => service.url, KEY);
    const facade = fromPage(session.page, way, session.baseUrl);
    test.each(OFFICE_REQUESTS)("$title", (request) => conforms(facade, request));
  });
});

describe.skipIf(soffice === undefined)("the key for the remote service", () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start({ soffice: soffice ?? "", key: KEY });
  });
  afterAll(() => service.close());

  // To client.fetch, the request has named the service. test/unit/src/service-worker tests the key of the service worker.
  describe("by client.fetch, of a client with another key, is the request's", () => {
    const session = pageFor("client.fetch", () => service.url, "own-key");
    test.each([`Bearer ${KEY}`, "Bearer another", ""])("of a request with %j", async (authorization) => {
      const url = `${session.baseUrl()}/api/convert`;
      const content = [...docx(["Dear reader"])];
      const answered = await session.page().evaluate(
        async ({ url, authorization, content }) => {
          const body = new FormData();
          body.append("file", new File([Uint8Array.from(content)], "letter.docx"));
          body.append("output_format", "pdf");
          const headers: HeadersInit = authorization === "" ? {} : { authorization };
          return (await globalThis.client.fetch(url, { method: "POST", headers, body })).status;
        },
        { url, authorization, content },
      );
      expect(answered).toBe(authorization === `Bearer ${KEY}` ? 200 : 401);
    });
  });
});
