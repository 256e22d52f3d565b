// The page script of every app here: the jobs that the test runs, with the package as the app finds it.
import { createClient } from "stayput";

const JOBS = {
  protect: (client, file) => client.protectPdf({ file, password: "secret" }),
  split: (client, file) => client.splitPdf({ file, pages: "1,last" }),
  "heic-to-jpg": (client, file) => client.convert({ file, output_format: "jpg" }),
  "pdf-to-png": (client, file) => client.convert({ file, output_format: "png", pages: "2" }),
};

/**
 * Puts a function on the window that runs a job on a file and returns the result as JSON. In a page with `?sealed=<folder>`, workers are
 * sealed, with the files of Stayput in that folder.
 */
export function offerJobs(options) {
  const assetUrl = new URLSearchParams(location.search).get("sealed");
  const client = createClient(assetUrl === null ? options : { assetUrl, sealed: true });
  globalThis.runJob = async (job, name, bytes) => {
    const file = new File([new Uint8Array(bytes)], name);
    const { download_url, file_name } = await JOBS[job](client, file);
    const blob = await (await fetch(download_url)).blob();
    const { width = 0, height = 0 } = blob.type.startsWith("image/") ? await createImageBitmap(blob) : {};
    return { name: file_name, bytes: [...new Uint8Array(await blob.arrayBuffer())], width, height };
  };
}
