import { signal, useComputed } from "@preact/signals";
import { moveFile, type TrayFile, trayFiles } from "../state/tray.ts";

/** The file that is dragged. */
const dragged = signal<TrayFile | undefined>(undefined);

/** Returns the attributes of an element that stands for a file. It is dragged to the place of another one. */
export function useDragOrder(file: TrayFile) {
  const isDragged = useComputed(() => dragged.value === file).value;
  return {
    draggable: useComputed(() => trayFiles.value.length > 1).value,
    "data-dragged": isDragged ? "" : undefined,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dragged.value = file;
      // Firefox drags nothing without data.
      dataTransfer?.setData("text/plain", file.file.name);
    },
    onDragEnd: () => {
      dragged.value = undefined;
    },
    onDragOver: (event: DragEvent) => {
      if (dragged.value === undefined) return;
      event.preventDefault();
      if (dragged.value !== file) moveFile(dragged.value, trayFiles.value.indexOf(file));
    },
  };
}
