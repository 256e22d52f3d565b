import { type CallOptions, type Client, PERMISSIONS, type ServiceResult } from "../src/index.ts";

/** One of the things that the page can do to a file. */
export interface Operation {
  /** On the button that starts it. */
  readonly label: string;
  /** In front of the file's name while it runs. */
  readonly doing: string;
  /** In front of the file's name once it is done. */
  readonly done: string;
  run(client: Client, file: File, fields: FormData, call: CallOptions): Promise<ServiceResult>;
}

/** By the value of the radio button that chooses it. */
export const OPERATIONS: Readonly<Record<string, Operation>> = {
  protect: {
    label: "Protect",
    doing: "Protecting",
    done: "Protected",
    run: (client, file, fields, call) => {
      const ownerPassword = text(fields, "owner_password");
      const allowed = fields.getAll("permissions");
      return client.protectPdf(
        {
          file,
          password: text(fields, "password"),
          ...(ownerPassword === "" ? {} : { owner_password: ownerPassword }),
          permissions: PERMISSIONS.filter((permission) => allowed.includes(permission)),
        },
        call,
      );
    },
  },
  unlock: {
    label: "Unlock",
    doing: "Unlocking",
    done: "Unlocked",
    run: (client, file, fields, call) => client.unlockPdf({ file, password: text(fields, "password") }, call),
  },
  split: {
    label: "Split",
    doing: "Splitting",
    done: "Split",
    run: (client, file, fields, call) => {
      const password = text(fields, "password");
      return client.splitPdf(
        { file, pages: text(fields, "pages"), ...(password === "" ? {} : { password }) },
        call,
      );
    },
  },
  convert: {
    label: "Convert",
    doing: "Converting",
    done: "Converted",
    // The fields of the form are the operation's: what is left empty is left out.
    run: (client, file, fields, call) => {
      const filled = [...fields].filter(([name, value]) => name !== "operation" && value !== "");
      const params = Object.fromEntries(filled);
      return client.convert({ ...params, file, output_format: text(fields, "output_format") }, call);
    },
  },
};

function text(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value : "";
}
