/** A piece of code with the kind that gives it its color. */
export interface CodeToken {
  readonly text: string;
  readonly kind: "plain" | "keyword" | "string" | "number" | "name";
}

const TOKENS =
  /(?<string>"(?:[^"\\]|\\.)*")|(?<keyword>\b(?:import|from|const|for|await|of|new|true|false)\b)|(?<number>\b\d[\d._]*\b)|(?<name>\b\w+(?=\())/g;

/** Splits the code of a call into its tokens. The pages of the site are highlighted when they are built. */
export function tokensOf(code: string): readonly CodeToken[] {
  const tokens: CodeToken[] = [];
  let end = 0;
  for (const { index, 0: text, groups = {} } of code.matchAll(TOKENS)) {
    if (index > end) tokens.push({ text: code.slice(end, index), kind: "plain" });
    const kind = (["string", "keyword", "number", "name"] as const).find((each) => groups[each]) ?? "plain";
    tokens.push({ text, kind });
    end = index + text.length;
  }
  tokens.push({ text: code.slice(end), kind: "plain" });
  return tokens;
}
