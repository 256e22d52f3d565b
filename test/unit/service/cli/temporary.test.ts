import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../../../service/cli/temporary.ts";

test.skipIf(process.platform === "win32")("an unusable folder for temporary files is named", () => {
  vi.stubEnv("TMPDIR", "/nowhere/at-all");
  onTestFinished(() => void vi.unstubAllEnvs());
  const message = expect.stringContaining("/nowhere/at-all");
  expect(temporaryFolder).toThrow(expect.objectContaining({ code: "not_found", message }));
});
