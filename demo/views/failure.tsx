import { t } from "../messages/index.ts";
import { explain } from "../state/explain.ts";
import { Button } from "./button.tsx";

/** An error: a sentence for the user, the remedy as a button, and the code for a report. */
export function Failure(props: {
  readonly error: unknown;
  readonly name: string;
  /** The file that it is about, in a task of several. */
  readonly of?: string | undefined;
  readonly onRetry?: (() => void) | undefined;
  readonly onPassword?: () => void;
  /** Whether the file has no bytes, which says more than the error. */
  readonly isEmpty?: boolean;
}) {
  const { message, values, remedy, details } = explain(props.error);
  return (
    <div class="failure">
      <p>
        {props.of && `${props.of}: `}
        {props.isEmpty ? t("error.empty") : t(message, values)}
      </p>
      {remedy === "retry" && props.onRetry && (
        <Button
          class="button small"
          text={t("row.retry")}
          label={t("row.retryName", { name: props.name })}
          onClick={props.onRetry}
        />
      )}
      {remedy === "password" && props.onPassword && (
        <Button class="button small" text={t("row.enterPassword")} onClick={props.onPassword} />
      )}
      <details>
        <summary>{t("row.details")}</summary>
        <code>{details}</code>
      </details>
    </div>
  );
}
