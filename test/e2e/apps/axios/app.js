// An app for the service as anybody would write it, with axios. The service is behind the app's own server.
import axios from "/vendor/axios.js";

const service = axios.create({ headers: { Authorization: "Bearer app-key" } });

const form = document.querySelector("form");
const output = document.querySelector("output");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  output.textContent = "Working…";
  try {
    const { data } = await service.postForm(`/api/${event.submitter.value}`, new FormData(form));
    const link = document.createElement("a");
    Object.assign(link, { href: data.download_url, textContent: data.file_name });
    output.replaceChildren(link);
  } catch (error) {
    output.textContent = `The service answered ${error.response.status}.`;
  }
});
