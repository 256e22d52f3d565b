import { computed, signal, useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { showField, startAgain } from "../browser/start.ts";
import { t } from "../messages/index.ts";
import { formatName } from "../state/formats.ts";
import { isBusy, jobsOf } from "../state/jobs.ts";
import { hideResult } from "../state/shown-result.ts";
import { chosenFile, isAside, isTaskFile, shownFile, task, taskFiles } from "../state/task.ts";
import { isJoint } from "../state/task-list.ts";
import { type TrayFile, trayFiles } from "../state/tray.ts";
import { Button } from "./button.tsx";
import { useDragOrder } from "./drag-order.ts";
import { Failure } from "./failure.tsx";
import { FileName } from "./file-name.tsx";
import { JobLine } from "./job-line.tsx";
import { RowFacts } from "./row-facts.tsx";
import { RowNotes } from "./row-notes.tsx";
import { useThumbnail } from "./use-thumbnail.ts";

/** The file whose row had the focus last. */
const focusedFile = signal<TrayFile | undefined>(undefined);

/** The file whose row Tab reaches. None of those that the task does not use, whose group may be closed. */
const activeFile = computed(() => {
  const files = trayFiles.value.filter((file) => !isAside(file));
  return files.find((file) => file === focusedFile.value) ?? files[0];
});

/** One file: its facts, the progress of its job, and its error. */
export function TrayRow(props: {
  readonly file: TrayFile;
  readonly index: number;
  readonly onRemove: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onMove: (place: number) => void;
}) {
  const { file, index } = props;
  const { name } = file.file;
  const jobs = jobsOf(file);
  const job = jobs.find((one) => one.task === task.value) ?? jobs.find(isBusy);
  const state = job?.state.value;
  // A row is drawn again when what it shows has changed, not whenever another file has.
  const isActive = useComputed(() => activeFile.value === file).value;
  const isInTask = useComputed(() => isTaskFile(file)).value;
  const isShown = useComputed(() => taskFiles.value.length > 1 && shownFile.value === file).value;
  const onRetry =
    isInTask && task.value !== undefined && !isJoint(task.value) ? () => void startAgain(file) : undefined;
  return (
    // The row itself is focused, by its keys or a click, and its file is shown. Its keys move and remove it.
    <li
      class="row"
      id={`row-${file.id}`}
      data-state={state?.kind ?? "none"}
      data-shown={isShown ? "" : undefined}
      tabIndex={isActive ? 0 : -1}
      aria-label={name}
      {...useDragOrder(file)}
      onKeyDown={props.onKeyDown}
      onFocus={() => {
        focusedFile.value = file;
        chosenFile.value = file;
      }}
    >
      <Thumbnail file={file} />
      <div class="row-title">
        <p class="row-name">
          <FileName name={name} />
        </p>
        <p class="row-facts">
          <RowFacts file={file} />
        </p>
      </div>
      <div class="row-buttons">
        {task.value === "merge" && isInTask && (
          <>
            <MoveButton label={t("row.up", { name })} icon="up" place={index - 1} onMove={props.onMove} />
            <MoveButton label={t("row.down", { name })} icon="down" place={index + 1} onMove={props.onMove} />
          </>
        )}
        <Button
          class="icon"
          icon="close"
          tabIndex={-1}
          label={t("row.remove", { name })}
          onClick={props.onRemove}
        />
      </div>
      <div class="row-text">
        <RowNotes file={file} />
        {jobs.map((one) => (
          <JobLine key={one.task} name={name} job={one} />
        ))}
        {state?.kind === "failed" && (
          <Failure
            error={state.error}
            name={name}
            onRetry={onRetry}
            onPassword={() => showField(`password-${file.id}`)}
          />
        )}
      </div>
    </li>
  );
}

function MoveButton(props: {
  readonly label: string;
  readonly icon: "up" | "down";
  readonly place: number;
  readonly onMove: (place: number) => void;
}) {
  const isInside = useComputed(() => trayFiles.value[props.place] !== undefined).value;
  return (
    <Button
      class="icon"
      icon={props.icon}
      tabIndex={-1}
      label={props.label}
      disabled={!isInside}
      onClick={() => props.onMove(props.place)}
    />
  );
}

/** The small picture, as a button that shows the file in the other pane. */
function Thumbnail({ file }: { readonly file: TrayFile }) {
  const button = useRef<HTMLButtonElement>(null);
  const format = file.inspection.value?.format;
  const url = useThumbnail(button, file);
  const show = t("row.show", { name: file.file.name });
  const kind = format ? formatName(format) : extensionOf(file.file.name);
  return (
    <button
      ref={button}
      type="button"
      class="thumbnail"
      tabIndex={-1}
      // With all text that it shows, so that speech input finds it.
      aria-label={url === undefined ? `${show} ${kind}` : show}
      onClick={() => {
        chosenFile.value = file;
        hideResult();
      }}
    >
      {url === undefined ? <span>{kind}</span> : <img src={url} alt="" />}
    </button>
  );
}

/** Returns the extension of a name in capitals, for a file whose format is not known. Empty if it is long or absent. */
function extensionOf(name: string): string {
  return (/\.(\w{1,5})$/.exec(name)?.[1] ?? "").toUpperCase();
}
