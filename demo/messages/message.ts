import type { en } from "./en.ts";

/** The name of a message. */
export type MessageKey = keyof typeof en;

/** All messages in one language. */
export type Messages = Readonly<Record<MessageKey, Message>>;

/** A text, or a text for each plural form of the value `count`. `{name}` stands for a value. */
export type Message = string | { readonly one: string; readonly other: string };

/** The values of a message. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** Fills the values into a message. A number is written as the language writes numbers. */
export function fillMessage(message: Message, values: MessageValues, language: string): string {
  const text = typeof message === "string" ? message : message[pluralForm(values.count, language)];
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) return placeholder;
    return typeof value === "number" ? value.toLocaleString(language) : value;
  });
}

function pluralForm(count: string | number | undefined, language: string): "one" | "other" {
  return new Intl.PluralRules(language).select(Number(count)) === "one" ? "one" : "other";
}
