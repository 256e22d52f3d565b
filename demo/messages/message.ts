import type { en } from "./en.ts";

/** The name of a message. */
export type MessageKey = keyof typeof en;

/**
 * All messages in one language. `{name}` stands for a value, and `{file|files}` for one of two forms, as the value `count` has
 * its plural. A form may have values.
 */
export type Messages = Readonly<Record<MessageKey, string>>;

/** The values of a message. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** What the page says to the user. */
export interface Message {
  readonly message: MessageKey;
  readonly values?: MessageValues | undefined;
}

const FORMS = /\{((?:[^{}|]|\{\w+\})*)\|((?:[^{}|]|\{\w+\})*)\}/g;

/** Fills the values into a message. A number is written as the language writes numbers. */
export function fillMessage(message: string, values: MessageValues, language: string): string {
  const isOne = new Intl.PluralRules(language).select(Number(values.count)) === "one";
  const text = message.replace(FORMS, (_, one: string, other: string) => (isOne ? one : other));
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) return placeholder;
    return typeof value === "number" ? value.toLocaleString(language) : value;
  });
}
