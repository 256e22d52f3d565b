// The page in which tests convert images: it fetches a file of the test and sends the result back.
import { createClient, ServiceError } from "../../src/index.ts";

declare global {
  interface Window {
    /** Converts the file at one URL and sends what it becomes to another. Gives its name, or how it failed. */
    convertImage(from: string, to: string, name: string, fields: Record<string, string>): Promise<string>;
  }
}

const client = createClient();

window.convertImage = async (from, to, name, fields) => {
  try {
    const file = new File([await (await fetch(from)).blob()], name);
    const result = await client.convert({ output_format: "", ...fields, file });
    const body = await (await fetch(result.download_url)).blob();
    client.release(result);
    await fetch(to, { method: "POST", body });
    return result.file_name;
  } catch (thrown) {
    return thrown instanceof ServiceError ? thrown.code : String(thrown);
  }
};

document.title = "ready";
