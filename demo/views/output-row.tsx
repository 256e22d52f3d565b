import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { saveOutput } from "../browser/save.ts";
import { startAgain } from "../browser/start.ts";
import { language, t } from "../messages/index.ts";
import { readableSize, sizeChange } from "../state/formats.ts";
import { inspectPreview } from "../state/inspect.ts";
import { nameParts } from "../state/names.ts";
import { type Output, outputKind, previewOf, renameOutput } from "../state/outputs.ts";
import { canCompare, exceededSize, isCurrent, type Result, sizeBefore } from "../state/results.ts";
import { task } from "../state/task.ts";
import { isJoint } from "../state/task-list.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { into } from "./into-signal.ts";
import { lazily } from "./lazily.tsx";
import { useThumbnail } from "./use-thumbnail.ts";

/** Loaded with the first comparison. */
const CompareDialog = lazily(async () => (await import("./compare-dialog.tsx")).CompareDialog);

/** One file of a result: its picture, its name, its size, and all that a person should know before saving it. */
export function OutputRow(props: {
  readonly result: Result;
  readonly output: Output;
  /** Whether it is the only one, which the buttons above save. */
  readonly isAlone: boolean;
}) {
  const { result, output, isAlone } = props;
  const { job, state } = result;
  const isOutdated = useComputed(() => !isCurrent(job)).value;
  const isCompared = useSignal(false);
  const { name } = output.file.value;
  const exceeded = exceededSize(result, output);
  const isFirst = state.outputs[0] === output;
  return (
    <li class="output">
      <Picture output={output} isLocked={job.task === "protect"} />
      <div class="output-text">
        <NameField output={output} />
        <Facts result={result} output={output} />
        {isOutdated && <p class="note">{t("row.outdated")}</p>}
        {exceeded !== undefined && (
          <p class="note">
            {t(job.task === "split" ? "row.exceeds" : "row.larger", {
              size: readableSize(exceeded, language()),
            })}
          </p>
        )}
        {isFirst && <MissingFonts result={result} />}
      </div>
      <div class="output-buttons">
        {canCompare(result) && (
          <Button
            class="button small"
            text={t("result.compare")}
            label={t("result.compareName", { name })}
            onClick={() => into(isCompared)(true)}
          />
        )}
        {(!isAlone || isOutdated) && (
          <Button
            class={isOutdated ? "quiet" : "button small"}
            text={t("row.save")}
            label={t("row.saveName", { name })}
            onClick={() => saveOutput(output)}
          />
        )}
      </div>
      {isCompared.value && job.files[0] && (
        <CompareDialog before={job.files[0]} after={previewOf(output)} isOpen={isCompared} />
      )}
    </li>
  );
}

/** The first page, or the picture. A locked document shows a lock. */
function Picture({ output, isLocked }: { readonly output: Output; readonly isLocked: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  const preview = previewOf(output);
  const kind = outputKind(output);
  useEffect(() => {
    if (kind === "pdf" && !isLocked) void inspectPreview(preview);
  }, [preview, kind, isLocked]);
  const url = useThumbnail(place, preview);
  return (
    <span class="thumbnail" ref={place} aria-hidden="true">
      {url !== undefined && <img src={url} alt="" />}
      {url === undefined && isLocked && <Icon name="protect" />}
    </span>
  );
}

/** The name, which the user may change. Its extension stays. */
function NameField({ output }: { readonly output: Output }) {
  const { name } = output.file.value;
  const [stem, extension] = nameParts(name);
  return (
    <p class="output-name">
      <input
        value={stem}
        aria-label={t("result.name", { name })}
        title={name}
        spellcheck={false}
        autocomplete="off"
        // Of Enter, too, which keeps the focus here.
        onChange={({ currentTarget }) => {
          renameOutput(output, currentTarget.value);
          // What no name can have is gone.
          [currentTarget.value = ""] = nameParts(output.file.value.name);
        }}
      />
      <span>{extension}</span>
    </p>
  );
}

/** How many pages it has, its size, how much smaller or larger it has become, and whether it is saved. */
function Facts({ result, output }: { readonly result: Result; readonly output: Output }) {
  const { size } = output.file.value;
  const { pages } = previewOf(output).inspection.value ?? {};
  const before = canCompare(result) ? sizeBefore(result.job) : undefined;
  const facts = [
    pages !== undefined && t("row.pages", { count: pages }),
    readableSize(size, language()),
    before !== undefined && sizeChange(before, size, language()),
    output.isSaved.value && t("row.saved"),
  ];
  return (
    <p class="row-facts">
      {facts.filter(Boolean).map((fact) => (
        <span key={fact}>{fact} </span>
      ))}
    </p>
  );
}

/** Says that the result may lack text, and offers to try again where the network was missing. */
function MissingFonts({ result: { job, state } }: { readonly result: Result }) {
  const { missingFonts, wasOffline } = state;
  const [file] = job.files;
  if (missingFonts === undefined || file === undefined) return null;
  const names = missingFonts.join(", ");
  return (
    <>
      <p class="note">{t(wasOffline ? "row.offlineFonts" : "row.missingFonts", { names })}</p>
      {wasOffline && job.task === task.value && (
        <Button
          class="button small"
          text={t("row.retry")}
          label={t("row.retryName", { name: file.file.name })}
          onClick={() => void startAgain(isJoint(job.task) ? undefined : file)}
        />
      )}
    </>
  );
}
