import { type Remote, transfer, wrap } from "comlink";
import type { Raster, TilePlace } from "./libheif.ts";
import type { helpWithTiles, TileAnswer, TileRequest } from "./tile-helper.ts";

/** A worker beside this one that decodes tiles. */
export interface TileHelper {
  /** Whether it has decoded a tile: until then nobody knows whether it ever will. */
  readonly hasProvedItself: boolean;
  /** Decodes one tile; nothing when it cannot. */
  decode(place: TilePlace): Promise<Raster | undefined>;
  /** Lets it go, to be called again for the next picture. What it was asked for comes to nothing. */
  release(): void;
}

interface Colleague {
  readonly worker: Worker;
  readonly api: Remote<{ helpWithTiles: typeof helpWithTiles }>;
}

/** Those that wait for the next picture. They end with this worker. */
const idle: Colleague[] = [];

/** Calls helpers: workers of the same script as this one, started when there are too few. */
export function callHelpers(count: number, request: TileRequest): TileHelper[] {
  return Array.from({ length: count }, () => idle.pop() ?? startColleague()).flatMap((colleague) =>
    colleague ? [helper(colleague, request)] : [],
  );
}

/** Nothing where the browser or the page's policy refuses. */
function startColleague(): Colleague | undefined {
  try {
    const worker = new Worker(self.location.href, { type: "module" });
    return { worker, api: wrap(worker) };
  } catch {
    return undefined;
  }
}

function helper(colleague: Colleague, request: TileRequest): TileHelper {
  const { worker, api } = colleague;
  const { port1: port, port2 } = new MessageChannel();
  const waiting: ((tile: Raster | undefined) => void)[] = [];
  let hasProvedItself = false;
  let isOver = false;
  const stop = () => {
    isOver = true;
    port.onmessage = null;
    for (const answer of waiting.splice(0)) answer(undefined);
  };
  const fail = () => {
    if (!isOver) stop();
    const index = idle.indexOf(colleague);
    if (index >= 0) idle.splice(index, 1);
    worker.terminate();
  };
  port.onmessage = ({ data: { tile } }: MessageEvent<TileAnswer>) => {
    hasProvedItself ||= tile !== undefined;
    waiting.shift()?.(tile);
  };
  worker.onerror = (event) => {
    // Or the page would take it for this worker's own end.
    event.preventDefault();
    fail();
  };
  api.helpWithTiles(request, transfer(port2, [port2])).catch(fail);
  return {
    get hasProvedItself() {
      return hasProvedItself;
    },
    decode(place) {
      if (isOver) return Promise.resolve(undefined);
      return new Promise((answer) => {
        waiting.push(answer);
        port.postMessage(place);
      });
    },
    release() {
      if (isOver) return;
      stop();
      port.postMessage(null);
      idle.push(colleague);
    },
  };
}
