import "filepond/dist/filepond.css";
import * as FilePond from "filepond";
import { createClient } from "stayput";
import { StayputConvert } from "stayput/filepond";

FilePond.registerPlugin(StayputConvert);

globalThis.pond = FilePond.create(document.querySelector("input"), {
  server: "/api/upload",
  stayputClient: createClient({ maxWorkers: 1 }),
  stayputTo: "jpg",
  stayputQuality: 0.9,
});
