import "../styles/result.css";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { canSaveToFolder, canShare, saveAll, saveReceipt, saveToFolder, shareAll } from "../browser/save.ts";
import { startAgain } from "../browser/start.ts";
import { chooseTask } from "../browser/window.ts";
import { language, t } from "../messages/index.ts";
import { continueWith, nextTasks } from "../state/continue.ts";
import { readableSize, sizeShare } from "../state/formats.ts";
import type { Job } from "../state/jobs.ts";
import { attempt } from "../state/notice.ts";
import { outputKind } from "../state/outputs.ts";
import { startOver } from "../state/removal.ts";
import {
  comparableSize,
  currentOutputs,
  currentResults,
  failedJobs,
  failedName,
  hasReceipt,
  isSaved,
  largerCount,
  outdatedCount,
  taskResults,
} from "../state/results.ts";
import { hideResult } from "../state/shown-result.ts";
import { fileKind, task } from "../state/task.ts";
import { isJoint } from "../state/task-list.ts";
import { Button } from "./button.tsx";
import { Failure } from "./failure.tsx";
import { Icon } from "./icon.tsx";
import { into } from "./into-signal.ts";
import { jointName } from "./joint-row.tsx";
import { OutputRow } from "./output-row.tsx";

/** How many files the list shows at first. */
const FIRST_ROWS = 100;

/** What a task has made, in the place of the stage: what is known of it, and the buttons that save it. */
export function ResultPlace() {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // What had the focus may be gone. The tabs of the tasks are still there.
    if (!document.activeElement?.closest(".page-header")) title.current?.focus();
  }, []);
  return (
    <section class="result-place" aria-labelledby="result-title">
      <div class="result-head">
        {currentOutputs.value.length > 0 && (
          <span class="result-check">
            <Icon name="check" />
          </span>
        )}
        <div>
          <h2 id="result-title" tabIndex={-1} ref={title}>
            {titleText()}
          </h2>
          <p class="result-facts">{factTexts().filter(Boolean).join(" ")}</p>
        </div>
      </div>
      <div class="result-actions">
        {currentOutputs.value.length > 0 && <SaveButtons />}
        <Button
          class="quiet result-back"
          icon="left"
          text={t(task.value === "split" || task.value === "organize" ? "result.pages" : "result.settings")}
          onClick={backToStage}
        />
      </div>
      <OutputList />
      <Continue />
    </section>
  );
}

/** What can be done next: with the files, if there are tasks for them, and with the page. */
function Continue() {
  const { length: count } = currentOutputs.value;
  const hasNext = nextTasks.value.length > 0;
  return (
    <nav class="continue" aria-label={t(hasNext ? "continue.title" : "continue.startOver", { count })}>
      {hasNext && <h3>{t("continue.title", { count })}</h3>}
      {nextTasks.value.map((next) => (
        <Button
          key={next}
          class="button small"
          text={t(next === "merge" ? "action.onePdf" : `task.${next}`)}
          onClick={() => {
            continueWith(next);
            chooseTask(next);
            focusLater(".row");
          }}
        />
      ))}
      <Button class="button small" text={t("continue.startOver")} onClick={startOver} />
    </nav>
  );
}

function backToStage(): void {
  hideResult();
  focusLater("#start");
}

/** Moves the focus to an element once it is there. */
function focusLater(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus());
}

/** Returns how many files are ready, and what they are. */
function titleText(): string {
  const outputs = currentOutputs.value;
  const { length: count } = outputs;
  if (count === 0) return t("result.outdated");
  if (outputs.every((output) => outputKind(output) === "pdf")) return t("result.pdfs", { count });
  if (!outputs.every((output) => outputKind(output) === "image")) return t("action.ready", { count });
  const arePhotos = currentResults.value.every(({ job }) =>
    job.files.every((file) => fileKind(file) === "image"),
  );
  return t(arePhotos ? "result.photos" : "result.pictures", { count });
}

/** Returns what is known of the files: their size, what is no longer in them, and what is not right. */
function factTexts(): readonly (string | false)[] {
  const results = currentResults.value;
  const all = (isSo: (job: Job) => boolean) => results.length > 0 && results.every(({ job }) => isSo(job));
  const outdated = outdatedCount.value;
  const failed = failedJobs.value.length;
  const larger = largerCount.value;
  return [
    results.length > 0 && sizeText(),
    all(({ settings: { method, params } }) => method === "protectPdf" && params.password !== "") &&
      t("result.protected"),
    all(({ task }) => task === "unlock") && t("result.unlocked"),
    all(leavesMetadataOut) && t("result.noMetadata"),
    larger > 0 && `${t("action.larger", { count: larger })}.`,
    outdated > 0 && `${t("action.outdated", { count: outdated })}.`,
    failed > 0 && `${t("action.failed", { count: failed })}.`,
    results.length > 0 && results.every(isSaved) && t("result.saved"),
  ];
}

/** Whether a picture was made of a picture without its metadata. */
function leavesMetadataOut({ files: [file], settings: { method, params } }: Job): boolean {
  if (method !== "convert" || params.keep_metadata || file === undefined) return false;
  return fileKind(file) === "image" && params.output_format !== "pdf";
}

function sizeText(): string {
  const bytes = currentOutputs.value.reduce((sum, { file }) => sum + file.value.size, 0);
  const size = readableSize(bytes, language());
  const before = comparableSize.value;
  const percent = before === undefined ? "" : sizeShare(before, bytes, language());
  if (before === undefined || percent === "") return `${size}.`;
  const values = { size, before: readableSize(before, language()), percent };
  return t(bytes < before ? "result.smaller" : "result.larger", values);
}

function SaveButtons() {
  const files = currentOutputs.value.map(({ file }) => file.value);
  const [only, ...others] = files;
  const isOne = others.length === 0;
  const [result] = currentResults.value;
  return (
    <>
      <Button
        id="save-all"
        class="button primary"
        text={t(isOne ? "row.save" : "action.saveAll")}
        label={isOne && only ? t("row.saveName", { name: only.name }) : undefined}
        onClick={() => void attempt(saveAll(), "notice.notSaved")}
      />
      {!isOne && canSaveToFolder() && (
        <Button
          class="button"
          text={t("action.folder")}
          onClick={() => void attempt(saveToFolder(), "notice.notSaved")}
        />
      )}
      {canShare(files) && (
        <Button
          class="button"
          text={t("action.share")}
          onClick={() => void attempt(shareAll(), "notice.notSaved")}
        />
      )}
      {isOne && result && hasReceipt(result) && (
        <Button
          class="quiet"
          text={t("result.receipt")}
          onClick={() => void attempt(saveReceipt(result), "notice.noReceipt")}
        />
      )}
    </>
  );
}

/** The files, and what has failed. */
function OutputList() {
  const showsAll = useSignal(false);
  const rows = taskResults.value.flatMap((result) =>
    result.state.outputs.map((output) => ({ result, output })),
  );
  const shown = showsAll.value ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <>
      <ul class="outputs">
        {shown.map(({ result, output }) => (
          <OutputRow key={output} result={result} output={output} isAlone={rows.length === 1} />
        ))}
        {failedJobs.value.map((job) => {
          const { files, state } = job;
          const [file] = files;
          if (file === undefined || state.value.kind !== "failed") return null;
          const name = isJoint(job.task) ? jointName(job) : file.file.name;
          const again = isJoint(job.task) ? undefined : file;
          return (
            <li key={file.id} class="output failed">
              <p>{name}</p>
              <Failure
                error={state.value.error}
                name={name}
                of={failedName(job)}
                onRetry={() => void startAgain(again)}
              />
            </li>
          );
        })}
      </ul>
      {shown.length < rows.length && (
        <Button
          class="button"
          text={t("result.more", { count: rows.length })}
          onClick={() => into(showsAll)(true)}
        />
      )}
    </>
  );
}
