import { describe, expect, test } from "vitest";
import { ERROR_STATUS } from "../../src/shared/errors.ts";
import { breaches } from "../support/conformance/contract.ts";
import { fromPage } from "../support/conformance/facades.ts";
import { FORM_REQUESTS } from "../support/conformance/form-requests.ts";
import { conforms, pageFor, WAYS } from "../support/conformance/page-facade.ts";
import { LOCAL_REQUESTS } from "../support/conformance/requests.ts";

describe.each(WAYS)("by %s", (way) => {
  const session = pageFor(way);
  const facade = fromPage(session.page, way, session.baseUrl);
  const requests = way === "methods" ? LOCAL_REQUESTS : [...LOCAL_REQUESTS, ...FORM_REQUESTS];
  test.each(requests)("$title", (request) => conforms(facade, request));
});

describe("by a form without a referrer", () => {
  const session = pageFor("service worker");

  test("is answered with forbidden", async () => {
    const page = session.page();
    const [response] = await Promise.all([
      page.waitForResponse("**/api/split-pdf"),
      page.evaluate(() => {
        const form = document.createElement("form");
        Object.assign(form, { action: "/api/split-pdf", method: "post", enctype: "multipart/form-data" });
        const policy = Object.assign(document.createElement("meta"), {
          name: "referrer",
          content: "no-referrer",
        });
        document.body.append(policy, form);
        form.submit();
      }),
    ]);
    const answer = { status: response.status(), headers: response.headers() };
    await page.waitForURL("**/api/split-pdf");
    const body = JSON.parse((await page.textContent("body")) ?? "");
    expect(breaches("splitPdf", { ...answer, body })).toEqual([]);
    expect([answer.status, body.error.code]).toEqual([ERROR_STATUS.forbidden, "forbidden"]);
  });
});
