/**
 * Returns a text for a terminal: without controls, which could move the cursor or change the title, and without overrides
 * of direction.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "?");
}
