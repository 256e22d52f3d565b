/** The file that the run has chosen on the page. */
export function chosenFile(): File {
  const file = document.querySelector<HTMLInputElement>("#file")?.files?.[0];
  if (file === undefined) throw new Error("no file is chosen");
  return file;
}
