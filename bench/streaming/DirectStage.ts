import { createServer, type Server } from "node:http";
import { setTimeout } from "node:timers/promises";
import { openAccess } from "../../src/api/access/Gatekeeper.ts";
import { StreamHub } from "../../src/api/stream/StreamHub.ts";
import { StreamLimits } from "../../src/api/stream/StreamLimits.ts";
import { serveSse } from "../../src/api/stream/serveSse.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openLog } from "../../src/lib/log.ts";
import { zeroHash } from "../../src/model/Hash.ts";
import { makeBlock } from "./madeBlock.ts";
import { StreamStage } from "./StreamStage.ts";

/** A hub over a made index, served over HTTP as the program serves it. */
export class DirectStage extends StreamStage {
  readonly #listeners = new Set<(extent: { first: number; last: number }) => void>();
  readonly #hub: StreamHub;
  protected readonly server: Server;
  #last = 1;

  constructor() {
    super();
    const log = openLog({ level: "silent" });
    this.#hub = new StreamHub({
      ...{ zeroState: zeroHash, clock: systemClock, log },
      source: {
        extent: () => ({ first: 1, last: this.#last }),
        onExtent: (listener) => {
          this.#listeners.add(listener);
          return () => this.#listeners.delete(listener);
        },
        readBlock: async (mcSeqno) => makeBlock(mcSeqno),
        readChanges: async (mcSeqno) => ({ utime: makeBlock(mcSeqno).utime, accounts: new Set(), ended: [] }),
        describe: async () => ({ book: new Map(), metadata: new Map() }),
        listPending: async () => [],
      },
    });
    const limits = new StreamLimits(new Map(), { connections: 0, addresses: 0, all: false });
    const shared = { clock: systemClock, log, access: openAccess, trustedProxies: [] };
    const modules = { hub: this.#hub, limits, mayAskForAll: true, refuseOutside: async () => {}, ...shared };
    this.server = createServer((request, response) => void serveSse(request, response, modules));
  }

  grow(): void {
    this.#last += 1;
    for (const listener of this.#listeners) listener({ first: 1, last: this.#last });
  }

  /** Makes blocks until connections that nobody reads have as much waiting as they may have. */
  async fill(): Promise<void> {
    const waiting = () => this.#hub.counters().waitingBytes;
    for (let before = -1; waiting() === 0 || waiting() > before; ) {
      before = waiting();
      for (let block = 0; block < 500; block++) this.grow();
      await setTimeout(50);
    }
  }

  protected async stop(): Promise<void> {
    await this.#hub.close(0);
  }
}
