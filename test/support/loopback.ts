import { createServer, type Server } from "node:net";

/** Starts a server on a free port of the loopback. Returns the port. */
export async function listenOnLoopback(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

/** Returns a port of the loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  await new Promise((closed) => server.close(closed));
  return port;
}
