import { computed, signal } from "@preact/signals";

/** What the service worker says about the large fonts, which it loads when a page first needs one. */
export interface FontMessage {
  readonly url: string;
  readonly isLoading: boolean;
}

const loading = signal<ReadonlySet<string>>(new Set());

/** Whether a font for Chinese, Japanese or Korean is on its way. */
export const isFontLoading = computed(() => loading.value.size > 0);

// Browsers offer service workers on secure origins only.
if ("serviceWorker" in navigator) {
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<FontMessage>) => {
    const urls = new Set(loading.value);
    if (data.isLoading) urls.add(data.url);
    else urls.delete(data.url);
    loading.value = urls;
  });
}
