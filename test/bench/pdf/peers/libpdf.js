import { load, OWNER_PASSWORD, PASSWORD, read, write } from "./files.js";

/** @returns {Promise<import("./peer-process.js").Peer>} */
export async function libpdf() {
  const { PDF } = await load("@libpdf/core");
  return async (task) => {
    switch (task.operation) {
      case "protect": {
        const document = await PDF.load(read(task.input));
        document.setProtection({ userPassword: PASSWORD, ownerPassword: OWNER_PASSWORD });
        write(task, 0, await document.save());
        break;
      }
      case "unlock": {
        const document = await PDF.load(read(task.input), { credentials: PASSWORD });
        document.removeProtection();
        write(task, 0, await document.save());
        break;
      }
      default: {
        const document = await PDF.load(read(task.input));
        for (const [number, pages] of task.pages.entries()) {
          const part = await document.extractPages(pages);
          write(task, number, await part.save());
        }
      }
    }
  };
}
