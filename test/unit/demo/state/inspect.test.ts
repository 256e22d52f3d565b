import { afterEach, expect, test, vi } from "vitest";
import { openWith, takeDropped } from "../../../../demo/state/inspect.ts";
import { notice } from "../../../../demo/state/notice.ts";
import { trayFileOf, trayFiles } from "../../../../demo/state/tray.ts";
import { ServiceError } from "../../../../src/index.ts";
import { appCalls } from "../../../support/app-client.ts";

vi.mock("../../../../demo/state/client.ts", () => import("../../../support/app-client.ts"));

afterEach(() => {
  trayFiles.value = [];
  notice.value = undefined;
  appCalls.length = 0;
});

const files = [new File(["a"], "a.pdf")];

test.each([
  ["nothing", { files, unread: [] }, undefined, undefined],
  [
    "a file that could not be read",
    { files, unread: ["b.pdf"] },
    "notice.someNotRead",
    { count: 1, name: "b.pdf" },
  ],
  ["that none could be read", { files: [], unread: ["b", "c"] }, "notice.noneRead", { count: 2, name: "b" }],
  ["an empty folder", { files: [], unread: [] }, "notice.emptyFolder", undefined],
])("says %s after a drop, and adds the files", (_, dropped, message, values) => {
  takeDropped(dropped);
  expect(trayFiles.value.map(({ file }) => file)).toEqual(dropped.files);
  expect([notice.value?.message, notice.value?.values]).toEqual([message, values]);
});

test("a wrong password that is found out late does not clear the right one", async () => {
  const locked = trayFileOf(new File(["a"], "a.pdf"));
  const slow = openWith(locked, "wrong");
  const wrong = appCalls.at(-1);
  const fast = openWith(locked, "right");
  await appCalls.at(-1)?.end("inspection");
  await fast;
  await wrong?.fail(new ServiceError("wrong_password", "Wrong"));
  await slow;
  expect([locked.password.value, locked.problem.value]).toEqual(["right", undefined]);
});
