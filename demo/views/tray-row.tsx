import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { focusField, startAgain } from "../browser/start.ts";
import { language, t } from "../messages/index.ts";
import { formatName, readableSize } from "../state/formats.ts";
import { isBusy, jobsOf } from "../state/jobs.ts";
import { mergedFrom } from "../state/merge-parts.ts";
import { serviceHost, serviceUrl } from "../state/service.ts";
import { hideResult } from "../state/shown-result.ts";
import { chosenFile, fileKind, isLocked, needsPassword, shownFile, task, taskFiles } from "../state/task.ts";
import { isJoint } from "../state/task-list.ts";
import { duplicates, type TrayFile, trayFiles } from "../state/tray.ts";
import { dragOrder } from "./drag-order.ts";
import { Failure } from "./failure.tsx";
import { Icon } from "./icon.tsx";
import { JobLine } from "./job-line.tsx";
import { useThumbnail } from "./use-thumbnail.ts";

/** The id of the file whose row had the focus last: Tab reaches this row only. */
const activeRow = signal<number | undefined>(undefined);

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
  const isActive = file.id === (activeRow.value ?? trayFiles.value[0]?.id);
  const isKnown = file.inspection.value !== undefined;
  const isInTask = taskFiles.value.includes(file);
  const isShown = taskFiles.value.length > 1 && shownFile.value === file;
  const onRetry =
    isInTask && task.value !== undefined && !isJoint(task.value) ? () => void startAgain(file) : undefined;
  return (
    // The row itself is focused, by its keys or a click, and its file is shown. Its keys move and remove it.
    <li
      class="row"
      id={`row-${file.id}`}
      data-state={state?.kind ?? "none"}
      data-shown={isShown ? "" : undefined}
      data-aside={isKnown && !isInTask ? "" : undefined}
      tabIndex={isActive || activeRow.value === undefined ? 0 : -1}
      aria-label={name}
      {...dragOrder(file)}
      onKeyDown={props.onKeyDown}
      onFocus={() => {
        activeRow.value = file.id;
        chosenFile.value = file;
      }}
    >
      <Thumbnail file={file} />
      <div class="row-title">
        <FileName name={name} />
        <p class="row-facts">
          <Facts file={file} />
        </p>
      </div>
      <div class="row-buttons">
        {task.value === "merge" && (
          <>
            <MoveButton label={t("row.up", { name })} icon="up" place={index - 1} onMove={props.onMove} />
            <MoveButton label={t("row.down", { name })} icon="down" place={index + 1} onMove={props.onMove} />
          </>
        )}
        <button
          type="button"
          class="icon"
          tabIndex={-1}
          aria-label={t("row.remove", { name })}
          onClick={props.onRemove}
        >
          <Icon name="close" />
        </button>
      </div>
      <div class="row-text">
        <Notes file={file} />
        {jobs.map((one) => (
          <JobLine key={one.task} name={name} job={one} />
        ))}
        {state?.kind === "failed" && (
          <Failure
            error={state.error}
            name={name}
            onRetry={onRetry}
            onPassword={() => focusField(`password-${file.id}`)}
          />
        )}
      </div>
    </li>
  );
}

/** How many letters at the end of a name stay in view: the extension, and what tells files apart. */
const NAME_END = 9;

/** A name in one line, with its end in view. */
function FileName({ name }: { readonly name: string }) {
  const letters = [...name];
  return (
    <p class="row-name" title={name}>
      <span>{letters.slice(0, -NAME_END).join("")}</span>
      <span>{letters.slice(-NAME_END).join("")}</span>
    </p>
  );
}

function MoveButton(props: {
  readonly label: string;
  readonly icon: "up" | "down";
  readonly place: number;
  readonly onMove: (place: number) => void;
}) {
  return (
    <button
      type="button"
      class="icon"
      tabIndex={-1}
      aria-label={props.label}
      disabled={props.place < 0 || props.place >= trayFiles.value.length}
      onClick={() => props.onMove(props.place)}
    >
      <Icon name={props.icon} />
    </button>
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

function Facts({ file }: { readonly file: TrayFile }) {
  const inspection = file.inspection.value;
  const size = readableSize(file.file.size, language());
  if (inspection === undefined) {
    return (
      <>
        <span>{size} </span>
        {!file.problem.value && <span>{t("row.looking")}</span>}
      </>
    );
  }
  const [first] = inspection.page_sizes ?? [];
  const isImage = fileKind(file) === "image";
  const facts = [
    formatName(inspection.format),
    inspection.pages !== undefined && pagesText(file, inspection.pages),
    isImage && first && `${first.width} × ${first.height}`,
    (inspection.images ?? 1) > 1 && t("row.images", { count: inspection.images ?? 1 }),
    size,
    inspection.is_signed && t("row.signed"),
  ];
  return (
    <>
      {facts.filter(Boolean).map((fact) => (
        <span key={fact}>{fact} </span>
      ))}
      {isLocked(file) && <LockBadge isOpen={!needsPassword(file)} />}
      {inspection.encrypted && !isLocked(file) && <span class="badge">{t("row.restricted")}</span>}
    </>
  );
}

/** Returns how many pages a PDF has, and how many of them a merge takes. */
function pagesText(file: TrayFile, total: number): string {
  const count = task.value === "merge" ? (mergedFrom(file).pages ?? total) : total;
  return count === total ? t("row.pages", { count }) : t("row.somePages", { count, total });
}

function LockBadge({ isOpen }: { readonly isOpen: boolean }) {
  return isOpen ? (
    <span class="badge good">{t("row.open")}</span>
  ) : (
    <span class="badge">{t("row.locked")}</span>
  );
}

function Notes({ file }: { readonly file: TrayFile }) {
  const isOffice = fileKind(file) === "office";
  const isAside = fileKind(file) !== undefined && task.value !== undefined && !taskFiles.value.includes(file);
  const problem = file.problem.value;
  return (
    <>
      {duplicates.value.has(file) && <p class="note">{t("row.duplicate")}</p>}
      {isOffice && (
        <p class="note">
          {serviceUrl === undefined ? t("row.officeAlone") : t("row.office", { host: serviceHost })}
        </p>
      )}
      {isAside && !isOffice && <p class="note">{t("row.notInTask")}</p>}
      {problem !== undefined && problem.code !== "wrong_password" && (
        <Failure error={problem} name={file.file.name} isEmpty={file.file.size === 0} />
      )}
    </>
  );
}
