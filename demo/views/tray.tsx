import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../messages/index.ts";
import { goBack } from "../state/continue.ts";
import { jointJobs } from "../state/jobs.ts";
import { earlier, removeFiles, startOver } from "../state/removal.ts";
import { isAside } from "../state/task.ts";
import { moveFile, type TrayFile, trayFiles } from "../state/tray.ts";
import { Button } from "./button.tsx";
import { FileInput } from "./file-input.tsx";
import { JointRow } from "./joint-row.tsx";
import { TrayRow } from "./tray-row.tsx";

/** Within so many milliseconds, a second click is one of a double click. */
const DOUBLE_CLICK_MS = 400;

/** How many more rows a task of the page makes at most. */
const STEP = 40;

/** The files of the user, one row each. Those that the task does not use are a closed group. */
export function Tray() {
  const list = useRef<HTMLElement>(null);
  const wentBack = useRef(-Infinity);
  const rows = trayFiles.value.filter((file) => !isAside(file));
  const asides = trayFiles.value.filter(isAside);
  const files = [...rows, ...asides];

  const focusRow = (index: number) => {
    // After the rows have their new places.
    requestAnimationFrame(() => {
      const rows = list.current?.querySelectorAll<HTMLElement>("li.row") ?? [];
      rows[Math.max(0, Math.min(rows.length - 1, index))]?.focus();
    });
  };
  const remove = (some: readonly TrayFile[]) => {
    const index = files.findIndex((file) => some.includes(file));
    removeFiles(some);
    focusRow(index);
  };
  /** Moves a file to the place that another one has in the list. */
  const move = (file: TrayFile, index: number) => {
    const other = files[index];
    if (other !== undefined) moveFile(file, trayFiles.value.indexOf(other));
  };
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const file = files[index];
    // Only of the row itself: its buttons have their own keys.
    if (file === undefined || event.target !== event.currentTarget) return;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (event.altKey) move(file, index + step);
      focusRow(index + step);
    } else if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      remove([file]);
    }
  };

  /** Goes back by one result, also with a double click. */
  const onBack = ({ timeStamp }: MouseEvent) => {
    if (timeStamp - wentBack.current < DOUBLE_CLICK_MS) return;
    wentBack.current = timeStamp;
    goBack();
  };

  const rowOf = (file: TrayFile, index: number) => (
    <TrayRow
      key={file.id}
      file={file}
      index={index}
      onRemove={() => remove([file])}
      onKeyDown={(event) => onKeyDown(event, index)}
      onMove={(place) => {
        move(file, place);
        focusRow(place);
      }}
    />
  );

  return (
    <section class="tray" ref={list} aria-labelledby="tray-title">
      <div class="pane-title">
        <h2 id="tray-title">{t("outcome.files", { count: files.length })}</h2>
        <Button class="quiet" text={t("tray.clear")} onClick={startOver} />
        <FileInput id="file-input" class="small">
          {t("tray.add")}
        </FileInput>
      </div>
      {earlier.value.length > 0 && (
        <Button class="quiet" icon="left" text={t("tray.earlier")} onClick={onBack} />
      )}
      <ul class="rows" aria-describedby="tray-keys">
        {rows.slice(0, useGrowing(rows.length)).map(rowOf)}
      </ul>
      {asides.length > 0 && (
        <details class="asides">
          <summary>{t("tray.asides", { count: asides.length })}</summary>
          <ul>{asides.map((file, index) => rowOf(file, rows.length + index))}</ul>
        </details>
      )}
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

/** Returns how many of some rows there are by now, so that 200 of them are not one long task. */
function useGrowing(total: number): number {
  const count = useSignal(STEP);
  const made = count.value;
  useEffect(() => {
    if (made >= total) return undefined;
    const timer = setTimeout(() => {
      count.value = made + STEP;
    });
    return () => clearTimeout(timer);
  }, [count, made, total]);
  return made;
}
