import { afterEach, expect, test, vi } from "vitest";
import { takeDropped } from "../../../../demo/state/inspect.ts";
import { notice } from "../../../../demo/state/notice.ts";
import { trayFiles } from "../../../../demo/state/tray.ts";

vi.mock("../../../../demo/state/client.ts", () => import("../../../support/app-client.ts"));

afterEach(() => {
  trayFiles.value = [];
  notice.value = undefined;
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
