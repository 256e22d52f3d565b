import { computed, signal } from "@preact/signals";

/** What the service worker says about the large fonts, which it loads when a page first needs one. */
export interface FontMessage {
  readonly url: string;
  readonly isLoading: boolean;
}

/** Browsers end a service worker that answers a request for so long. The message that the font is there then never comes. */
const LONGEST_LOAD_MS = 5 * 60_000;

const loading = signal<ReadonlySet<string>>(new Set());

/** Whether a font for Chinese, Japanese or Korean is on its way. */
export const isFontLoading = computed(() => loading.value.size > 0);

/** Listens to what the service worker says about fonts. */
export function watchFonts(): void {
  // Browsers offer service workers on secure origins only.
  if (!("serviceWorker" in navigator)) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<FontMessage>) => {
    const urls = new Set(loading.value);
    if (data.isLoading) urls.add(data.url);
    else urls.delete(data.url);
    loading.value = urls;
    clearTimeout(timer);
    timer = setTimeout(() => {
      loading.value = new Set();
    }, LONGEST_LOAD_MS);
  });
}
