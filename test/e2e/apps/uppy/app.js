import Uppy from "@uppy/core";
import XHRUpload from "@uppy/xhr-upload";
import { createClient } from "stayput";
import { StayputConverter } from "stayput/uppy";

const client = createClient({ maxWorkers: 1 });
const uppy = new Uppy()
  .use(StayputConverter, { client, to: "jpg", quality: 0.9 })
  .use(XHRUpload, { endpoint: "/api/upload" });

const output = document.querySelector("output");
const show = (text) => output.append(Object.assign(document.createElement("p"), { textContent: text }));

document.querySelector("input").addEventListener("change", ({ target }) => {
  for (const file of target.files) uppy.addFile(file);
});
document.querySelector("#cancel").addEventListener("click", () => uppy.cancelAll());
document.querySelector("#upload").addEventListener("click", () => uppy.upload());
uppy.on("preprocess-progress", (file, { message }) => show(`${file.name}: ${message}`));
uppy.on("upload-error", (file) => show(`${file.name}: ${uppy.getFile(file.id).error}`));
uppy.on("complete", ({ successful, failed }) =>
  show(`${successful.length} uploaded, ${failed.length} failed`),
);

globalThis.uppy = uppy;
