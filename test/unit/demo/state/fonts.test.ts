import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FontMessage, isFontLoading, watchFonts } from "../../../../demo/state/fonts.ts";

let serviceWorker: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  serviceWorker = new EventTarget();
  vi.stubGlobal("navigator", { serviceWorker });
  watchFonts();
});

afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function tell(message: FontMessage): void {
  serviceWorker.dispatchEvent(new MessageEvent("message", { data: message }));
}

test("says that a font loads until the last one is there", () => {
  expect(isFontLoading.value).toBe(false);
  tell({ url: "/jp.otf", isLoading: true });
  tell({ url: "/kr.otf", isLoading: true });
  tell({ url: "/jp.otf", isLoading: false });
  expect(isFontLoading.value).toBe(true);
  tell({ url: "/kr.otf", isLoading: false });
  expect(isFontLoading.value).toBe(false);
});

test("no longer says that a font loads when the browser has ended the service worker", () => {
  tell({ url: "/jp.otf", isLoading: true });
  vi.advanceTimersByTime(4 * 60_000);
  expect(isFontLoading.value).toBe(true);
  vi.advanceTimersByTime(60_000);
  expect(isFontLoading.value).toBe(false);
});

test("works in browsers without service workers", () => {
  vi.stubGlobal("navigator", {});
  expect(watchFonts).not.toThrow();
});
