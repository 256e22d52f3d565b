import { signal } from "@preact/signals";

/** Whether the options are shown. On a narrow screen they are a sheet over the files. A wide screen always shows them. */
export const isSheetOpen = signal(true);
