import { signal } from "@preact/signals";
import { en } from "./en.ts";
import { fillMessage, type MessageKey, type Messages, type MessageValues } from "./message.ts";

export type { Message, MessageKey, MessageValues } from "./message.ts";

/** The languages of the app. */
const LANGUAGES = ["en", "de"] as const;

export type Language = (typeof LANGUAGES)[number];

const STORED_AS = "stayput-language";

const current = signal<{ readonly language: Language; readonly messages: Messages }>({
  language: "en",
  messages: en,
});

/** The language of the page. */
export function language(): Language {
  return current.value.language;
}

/** Returns a message in the language of the page. */
export function t(key: MessageKey, values: MessageValues = {}): string {
  const { language, messages } = current.value;
  return fillMessage(messages[key], values, language);
}

/** Shows the page in a language. Loads its messages first. */
export async function setLanguage(language: Language): Promise<void> {
  const messages: Messages = language === "de" ? (await import("./de.ts")).de : en;
  current.value = { language, messages };
  document.documentElement.lang = language;
  // Only the built app has one (scripts/offline.mjs).
  const manifest = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
  if (manifest) manifest.href = language === "de" ? "./manifest.de.webmanifest" : "./manifest.webmanifest";
}

/** Shows the page in a language from now on, also after a reload. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORED_AS, language);
  await setLanguage(language);
}

/** Returns the language that the user has chosen, or the first of the browser that the app has. */
export function preferredLanguage(
  stored: string | null = localStorage.getItem(STORED_AS),
  wanted: readonly string[] = navigator.languages,
): Language {
  const known = (tag: string | null) => LANGUAGES.find((one) => tag?.toLowerCase().split("-")[0] === one);
  for (const tag of [stored, ...wanted]) {
    const language = known(tag);
    if (language !== undefined) return language;
  }
  return "en";
}
