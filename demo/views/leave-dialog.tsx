import { useEffect, useRef } from "preact/hooks";
import { t } from "../messages/index.ts";
import { leaveQuestion } from "../state/client.ts";
import { serviceHost } from "../state/service.ts";
import { Button } from "./button.tsx";
import { WithName } from "./file-name.tsx";

/** Asks whether a file may leave the device. */
export function LeaveDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const question = leaveQuestion.value;
  useEffect(() => {
    if (question === undefined) dialog.current?.close();
    else dialog.current?.showModal();
  }, [question]);
  return (
    <dialog ref={dialog} aria-labelledby="leave-title" onCancel={() => question?.answer(false)}>
      {question && (
        <>
          <h2 id="leave-title">
            <WithName text={t("leave.title", { name: question.fileName })} name={question.fileName} />
          </h2>
          <p>{t("leave.text", { host: serviceHost })}</p>
          <div class="buttons">
            <Button class="button" text={t("leave.no")} onClick={() => question.answer(false)} />
            <Button
              class="button primary"
              text={t("leave.yes", { host: serviceHost })}
              onClick={() => question.answer(true)}
            />
          </div>
        </>
      )}
    </dialog>
  );
}
