import { describe, expect, test } from "vitest";
import { readCall } from "../../../../src/service/request.ts";
import { multipart } from "../../../support/fake-fetch.ts";
import { refusal } from "../../../support/refusal.ts";

describe("the form of a navigation", () => {
  const { headers, text } = multipart();
  const read = (password: string, mode: RequestMode) => {
    const body = Buffer.from(text.replace("key", password), "latin1");
    const request = new Request("https://app.example/api/protect-pdf", { method: "POST", headers, body });
    Object.defineProperty(request, "mode", { value: mode });
    return readCall(request, "/api/protect-pdf");
  };

  test.each([
    ["bytes that are no UTF-8", "Z\xfcrich"],
    ["what browsers put for a character that the encoding of the page lacks", "&#28246;"],
  ])("is refused for a password with %s", async (_, password) => {
    await expect(read(password, "navigate")).rejects.toEqual(
      refusal("invalid_parameter", { parameter: "password" }),
    );
  });

  test("is the only one whose page may have another encoding", async () => {
    expect(await read("&#28246;", "cors")).toMatchObject({ params: { password: "&#28246;" } });
  });
});
