import { computed } from "@preact/signals";
import { mergeParts } from "./merge-parts.ts";
import { pageSize } from "./options.ts";
import { fileKind, taskFiles } from "./task.ts";

/** Whether only images are merged: then their pages can have a size of paper. */
export const areImages = computed(() => taskFiles.value.every((file) => fileKind(file) === "image"));

/** The parts of the merged PDF, in order. */
export const chosenParts = computed(() =>
  mergeParts(taskFiles.value, areImages.value ? pageSize.value : "fit"),
);
