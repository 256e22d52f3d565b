/** Set by scripts/build.mjs. */
declare const __STAYPUT_VERSION__: string | undefined;

/** The version of this file. Built files carry the version of the package. */
export const VERSION = typeof __STAYPUT_VERSION__ === "string" ? __STAYPUT_VERSION__ : "unbuilt";

/** The first message of a worker. It must stay the same in all versions. */
export interface Hello {
  readonly stayput: string;
}

/** The last message of a worker that ends itself. The browser does not tell the page. */
export interface Goodbye {
  readonly stayputEnded: true;
}

/** Returns whether a message is a {@link Goodbye}. */
export function isGoodbye(message: unknown): boolean {
  return typeof message === "object" && message !== null && "stayputEnded" in message;
}

/** Returns the version in a {@link Hello}, or undefined for another message. */
export function versionIn(message: unknown): string | undefined {
  return typeof message === "object" && message !== null && "stayput" in message
    ? String(message.stayput)
    : undefined;
}
