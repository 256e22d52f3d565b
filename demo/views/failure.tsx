import { t } from "../messages/index.ts";
import { explain } from "../state/explain.ts";

/** An error: a sentence for the user, the remedy as a button, and the code for a report. */
export function Failure(props: {
  readonly error: unknown;
  readonly name: string;
  readonly onRetry?: (() => void) | undefined;
  readonly onPassword?: () => void;
  /** Whether the file has no bytes, which says more than the error. */
  readonly isEmpty?: boolean;
}) {
  const { message, values, remedy, details } = explain(props.error);
  return (
    <div class="failure">
      <p>{props.isEmpty ? t("error.empty") : t(message, values)}</p>
      {remedy === "retry" && props.onRetry && (
        <button
          type="button"
          class="button small"
          aria-label={t("row.retryName", { name: props.name })}
          onClick={props.onRetry}
        >
          {t("row.retry")}
        </button>
      )}
      {remedy === "password" && props.onPassword && (
        <button type="button" class="button small" onClick={props.onPassword}>
          {t("row.enterPassword")}
        </button>
      )}
      <details>
        <summary>{t("row.details")}</summary>
        <code>{details}</code>
      </details>
    </div>
  );
}
