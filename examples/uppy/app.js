import Uppy from "@uppy/core";
import Dashboard from "@uppy/dashboard";
import XHRUpload from "@uppy/xhr-upload";
import { createClient } from "stayput";
import { StayputConverter } from "stayput/uppy";
import "@uppy/core/css/style.min.css";
import "@uppy/dashboard/css/style.min.css";

new Uppy({ restrictions: { allowedFileTypes: ["image/*", ".heic", ".heif"] } })
  .use(Dashboard, { inline: true, target: "main" })
  .use(StayputConverter, { client: createClient(), to: "jpg", max_width: 2000 })
  .use(XHRUpload, { endpoint: "/upload" })
  .on("upload-success", (file, { body }) => {
    const entry = document.createElement("li");
    entry.textContent = `${file.name}: ${body.length} bytes`;
    document.querySelector("ul").append(entry);
  });
