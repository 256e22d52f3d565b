import { type Remote, transfer, wrap } from "comlink";
import type { Raster, TilePlace } from "./libheif.ts";
import type { helpWithTiles, TileAnswer, TileRequest } from "./tile-helper.ts";

/** A worker beside this one that decodes tiles. */
export interface TileHelper {
  /** Whether it has decoded a tile: until then nobody knows whether it ever will. */
  readonly hasProvedItself: boolean;
  /** Decodes one tile; nothing when it cannot. */
  decode(place: TilePlace): Promise<Raster | undefined>;
  /** Lets it go, to be called again for the next picture. */
  release(): void;
  /** Ends it. What it was asked for comes to nothing. */
  end(): void;
}

interface Colleague {
  readonly worker: Worker;
  readonly api: Remote<{ helpWithTiles: typeof helpWithTiles }>;
}

/** Those that wait for the next picture. They end with this worker. */
const idle: Colleague[] = [];

/** Calls helpers: workers of the same script as this one, started when there are too few. */
export function callHelpers(count: number, request: TileRequest): TileHelper[] {
  return Array.from({ length: count }, () => helper(idle.pop() ?? startColleague(), request));
}

function startColleague(): Colleague {
  const worker = new Worker(self.location.href, { type: "module" });
  return { worker, api: wrap(worker) };
}

function helper(colleague: Colleague, request: TileRequest): TileHelper {
  const { worker, api } = colleague;
  const { port1: port, port2 } = new MessageChannel();
  const waiting: ((tile: Raster | undefined) => void)[] = [];
  let hasProvedItself = false;
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    port.close();
    worker.terminate();
    for (const answer of waiting.splice(0)) answer(undefined);
  };
  port.onmessage = ({ data: { tile } }: MessageEvent<TileAnswer>) => {
    if (tile === undefined) end();
    hasProvedItself = tile !== undefined;
    waiting.shift()?.(tile);
  };
  worker.onerror = end;
  api.helpWithTiles(request, transfer(port2, [port2])).catch(end);
  return {
    get hasProvedItself() {
      return hasProvedItself;
    },
    decode(place) {
      if (hasEnded) return Promise.resolve(undefined);
      return new Promise((answer) => {
        waiting.push(answer);
        port.postMessage(place);
      });
    },
    release() {
      if (hasEnded) return;
      port.postMessage(null);
      idle.push(colleague);
    },
    end,
  };
}
