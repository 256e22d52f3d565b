import { type CallOptions, type Client, PERMISSIONS, type ServiceResult } from "../src/index.ts";

/** One operation of the page. */
export interface Operation {
  /** The text of the start button. */
  readonly label: string;
  /** The text before the file name while the job runs. */
  readonly doing: string;
  /** The text before the file name after the job. */
  readonly done: string;
  run(client: Client, file: File, fields: FormData, call: CallOptions): Promise<ServiceResult>;
}

/** The operations, by the value of their radio button. */
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
    // The form has the field names of the operation. Empty fields are left out.
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
