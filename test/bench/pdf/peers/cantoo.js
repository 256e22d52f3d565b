import { load, OWNER_PASSWORD, PASSWORD, read, write } from "./files.js";

/** @returns {Promise<import("./peer-process.js").Peer>} */
export async function cantoo() {
  const { PDFDocument } = await load("@cantoo/pdf-lib");
  return async (task) => {
    const password = task.operation === "unlock" ? { password: PASSWORD } : {};
    const document = await PDFDocument.load(read(task.input), password);
    if (task.operation === "protect") {
      document.encrypt({ userPassword: PASSWORD, ownerPassword: OWNER_PASSWORD });
    }
    if (task.operation === "protect" || task.operation === "unlock") {
      write(task, 0, await document.save());
      return;
    }
    for (const [number, pages] of task.pages.entries()) {
      const part = await PDFDocument.create();
      for (const page of await part.copyPages(document, pages)) part.addPage(page);
      write(task, number, await part.save());
    }
  };
}
