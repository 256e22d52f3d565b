// An app for the service as anybody would write it, with fetch.

const BASE_URL = new URL("/service", location.href).href;
const API_KEY = "app-key";

const form = document.querySelector("form");
const output = document.querySelector("output");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  output.textContent = "Working…";
  const response = await fetch(`${BASE_URL}/api/${event.submitter.value}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${API_KEY}` },
    body: new FormData(form),
  });
  if (!response.ok) {
    output.textContent = `The service answered ${response.status}.`;
    return;
  }
  const { download_url, file_name } = await response.json();
  const link = document.createElement("a");
  Object.assign(link, { href: download_url, download: file_name, textContent: file_name });
  output.replaceChildren(link);
});
