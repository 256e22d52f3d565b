import { useRef } from "preact/hooks";
import { t } from "../messages/index.ts";
import { goBack } from "../state/continue.ts";
import { jointJobs } from "../state/jobs.ts";
import { earlier, removeFiles, startOver } from "../state/removal.ts";
import { moveFile, type TrayFile, trayFiles } from "../state/tray.ts";
import { FileInput } from "./file-input.tsx";
import { Icon } from "./icon.tsx";
import { JointRow } from "./joint-row.tsx";
import { TrayRow } from "./tray-row.tsx";
import { useGrowing } from "./use-growing.ts";

/** The files of the user, one row each. */
export function Tray() {
  const list = useRef<HTMLUListElement>(null);
  const files = trayFiles.value;

  const focusRow = (index: number) => {
    // After the rows have their new places.
    requestAnimationFrame(() => {
      const rows = list.current?.querySelectorAll<HTMLElement>(".row") ?? [];
      rows[Math.max(0, Math.min(rows.length - 1, index))]?.focus();
    });
  };
  const remove = (some: readonly TrayFile[]) => {
    const index = files.findIndex((file) => some.includes(file));
    removeFiles(some);
    focusRow(index);
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const file = files[index];
    // Only of the row itself: its buttons have their own keys.
    if (file === undefined || event.target !== event.currentTarget) return;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (event.altKey) moveFile(file, index + step);
      focusRow(index + step);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      remove([file]);
    }
  };

  return (
    <section class="tray" aria-labelledby="tray-title">
      <div class="pane-title">
        <h2 id="tray-title">{t("tray.count", { count: files.length })}</h2>
        <button type="button" class="quiet" onClick={startOver}>
          {t("tray.clear")}
        </button>
        <FileInput id="file-input" class="small">
          {t("tray.add")}
        </FileInput>
      </div>
      {earlier.value.length > 0 && (
        <button type="button" class="quiet" onClick={goBack}>
          <Icon name="left" />
          {t("tray.earlier")}
        </button>
      )}
      <ul class="rows" ref={list} aria-describedby="tray-keys">
        {files.slice(0, useGrowing(files.length)).map((file, index) => (
          <TrayRow
            key={file.id}
            file={file}
            index={index}
            onRemove={() => remove([file])}
            onKeyDown={(event) => onKeyDown(event, index)}
            onMove={(place) => {
              moveFile(file, place);
              focusRow(place);
            }}
          />
        ))}
      </ul>
      {jointJobs.value
        .filter(({ state }) => state.value.kind !== "done")
        .map((job) => (
          <JointRow key={job.task} job={job} />
        ))}
      <p class="hint keys" id="tray-keys">
        {t("tray.keys")}
      </p>
    </section>
  );
}
