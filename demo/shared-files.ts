import { registerRoute } from "workbox-routing";

declare const self: ServiceWorkerGlobalScope;

/** The files that another app has shared, until the page takes them. They are kept in memory only. */
let shared: readonly File[] = [];

/**
 * Answers the form that the system sends when a person shares files with the installed app (scripts/offline.mjs), so that
 * it never reaches the network. Then opens the page, which asks for the files (demo/browser/launch.ts).
 */
export function takeSharedFiles(): void {
  const { scope } = self.registration;
  const { pathname } = new URL("shared", scope);
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && url.pathname === pathname,
    async ({ request }) => {
      const form = await request.formData();
      shared = form.getAll("file").filter((value) => value instanceof File);
      return Response.redirect(new URL("./?shared", scope).href, 303);
    },
    "POST",
  );
  self.addEventListener("message", ({ data, ports: [port] }) => {
    if (data !== "shared files" || port === undefined) return;
    port.postMessage(shared);
    shared = [];
  });
}
