import { expect, it } from "vitest";
import { formatGap, GlobalVersionWatch } from "../../src/chain/GlobalVersionWatch.ts";
import { LiteError } from "../../src/lite/errors.ts";
import type { LitePool } from "../../src/lite/pool/LitePool.ts";
import type { LiteServer } from "../../src/lite/server/LiteServer.ts";
import { LocalLiteServer } from "../../src/localnet/network/LocalLiteServer.ts";
import { recordLog } from "../kit/localnet/localChain.ts";
import { importSplitChain } from "../kit/localnet/splitChain.ts";
import { ManualClock } from "../kit/suite/ManualClock.ts";

const ledger = importSplitChain();
const head = { block: ledger.headId, genUtime: 0 };

/** A pool of one server that knows its head only after `failures` failed tries. */
function openPool(failures: number): LiteServer & Pick<LitePool, "waitHead"> & { readonly tries: () => number } {
  const server = new LocalLiteServer({ ledger });
  let tries = 0;
  return {
    tries: () => tries,
    waitHead: async () => {
      tries++;
      if (tries <= failures) throw new LiteError("lite/none", "no server");
      return head;
    },
    ask: (query, options) => server.ask(query, options),
    close: () => server.close(),
    destroy: (reason) => server.destroy(reason),
  };
}

it("retries soon while no server answers, then checks every hour, until it is stopped", async () => {
  const [clock, log, pool] = [new ManualClock(), recordLog(), openPool(2)];
  const watch = new GlobalVersionWatch({ clock, log, pool });
  const stop = new AbortController();
  const running = watch.run(stop.signal);
  await clock.advance(20_000);
  expect(pool.tries()).toBe(3);
  await clock.advance(3_599_000);
  expect(pool.tries()).toBe(3);
  await clock.advance(2_000);
  expect(pool.tries()).toBe(4);
  stop.abort();
  await running;
  expect({ gap: watch.gap, lines: log.lines }).toEqual({ gap: undefined, lines: [] });
});

it("names both versions", () => {
  expect(formatGap({ supported: 13, network: 15 })).toBe("the machine supports global version 13, the network uses 15");
});
