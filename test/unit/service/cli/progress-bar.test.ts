import { expect, test } from "vitest";
import { ProgressBar } from "../../../../service/cli/progress-bar.ts";

/** A stream that collects the text that it gets. */
function stream(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  return { isTTY, columns, written, write: (text: string) => written.push(text) };
}

test("shows the share of the work, and removes its line", () => {
  const terminal = stream(true);
  const bar = new ProgressBar(terminal);
  bar.show("a.pdf", { phase: "working", done: 1, total: 2 });
  bar.clear();
  bar.clear();
  expect(terminal.written).toEqual(["\r\x1b[K[############------------]  50% working  a.pdf", "\r\x1b[K"]);
});

test("shows nothing of a share that is not known", () => {
  const terminal = stream(true);
  new ProgressBar(terminal).show("a.pdf", { phase: "queued", done: 0, total: 0 });
  expect(terminal.written.join()).toContain("   0% starting");
});

test("draws nothing if the stream is no terminal", () => {
  const pipe = stream(false);
  const bar = new ProgressBar(pipe);
  bar.show("a.pdf", { phase: "working", done: 1, total: 2 });
  bar.clear();
  expect(pipe.written).toEqual([]);
});

test("fits into the line, and passes on no controls of a name", () => {
  const terminal = stream(true, 50);
  new ProgressBar(terminal).show(`\x1b]0;x\x07${"n".repeat(90)}`, { phase: "reading", done: 3, total: 2 });
  const [line = ""] = terminal.written;
  expect(line.slice(4)).toMatch(/^\[#{24}\] 100% reading {2}\?\]0;x\?n+$/);
  expect(line.slice(4)).toHaveLength(49);
});
