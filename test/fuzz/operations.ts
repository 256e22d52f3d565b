import { protectBytes, rewriteBytes, splitBytes, unlockBytes } from "../native/engine.ts";

/** What the engine is asked to do. */
export type Operation =
  | { readonly kind: "protect"; readonly password: string }
  | { readonly kind: "unlock"; readonly password: string }
  | { readonly kind: "split"; readonly pages: string; readonly password: string | undefined }
  | { readonly kind: "rewrite"; readonly password: string | undefined };

/** The password that protected outputs get. */
export const NEW_PASSWORD = "stay put";

/** An operation in a few words, for reports. */
export const nameOf = (operation: Operation): string =>
  operation.kind === "split" ? `split ${operation.pages}` : operation.kind;

/** Does an operation on a file in memory. */
export async function perform(operation: Operation, input: Uint8Array): Promise<readonly Uint8Array[]> {
  switch (operation.kind) {
    case "protect":
      return [await protectBytes(input, { password: operation.password })];
    case "unlock":
      return [await unlockBytes(input, operation.password)];
    case "rewrite":
      return [await rewriteBytes(input, { password: operation.password })];
    case "split": {
      const { pages, password } = operation;
      const files = await splitBytes(input, { pages, ...(password === undefined ? {} : { password }) });
      return files.map(({ bytes }) => bytes);
    }
  }
}
