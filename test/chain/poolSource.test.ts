import { afterEach, expect, it } from "vitest";
import { getMasterBlock, getMasterchainInfo } from "../../src/chain/head.ts";
import { LiveChains } from "../../src/chain/LiveChains.ts";
import { poolSource } from "../../src/chain/poolSource.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { LitePool } from "../../src/lite/pool/LitePool.ts";
import { TrustedChain } from "../../src/lite/queries/TrustedChain.ts";
import type { LiteServer } from "../../src/lite/server/LiteServer.ts";
import { LocalLiteServer } from "../../src/localnet/network/LocalLiteServer.ts";
import { noExecutor } from "../kit/chain/openChain.ts";
import { importSplitChain } from "../kit/localnet/splitChain.ts";

const ledger = importSplitChain();
const pools: LitePool[] = [];

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

async function openPool(servers: Readonly<Record<string, LiteServer>>): Promise<LiveChains> {
  const trusted = new TrustedChain({ start: ledger.zero.id, zeroState: ledger.zero.id, proofs: "trust" });
  const named = Object.entries(servers).map(([name, server]) => ({ name, address: name, server }));
  const head = (server: LiteServer, signal: AbortSignal) => trusted.head(server, { signal });
  const pool = LitePool.open(named, { clock: systemClock, random: systemRandom, head });
  pools.push(pool);
  await pool.waitHead(-1, AbortSignal.timeout(300_000));
  const source = poolSource(pool, Object.keys(servers));
  return new LiveChains({ source, executor: noExecutor, clock: systemClock, zeroState: ledger.zero.id });
}

const asked = { access: "public" as const, signal: new AbortController().signal };

it("answers a request from one server of the pool, at the pool's head, and reports which", async () => {
  const chains = await openPool({ a: new LocalLiteServer({ ledger }), b: new LocalLiteServer({ ledger }) });
  const chain = chains.open(asked);
  expect(chain.head.block).toEqual(ledger.headId);
  expect(chain.askedServers()).toEqual([]);
  await getMasterchainInfo(chain);
  const [first] = chain.askedServers();
  expect([0, 1]).toContain(first);
  expect((await getMasterBlock(chain, 7)).seqno).toBe(7);
  expect(chain.askedServers()).toEqual([first]);
});

it("queries a block's facts once for any number of requests", async () => {
  let queries = 0;
  const local = new LocalLiteServer({ ledger });
  const counting: LiteServer = {
    ask: (query, options) => {
      queries += 1;
      return local.ask(query, options);
    },
    close: () => local.close(),
    destroy: (reason) => local.destroy(reason),
  };
  const chains = await openPool({ a: counting });
  const before = queries;
  await Promise.all(Array.from({ length: 50 }, () => getMasterchainInfo(chains.open(asked))));
  await getMasterchainInfo(chains.open(asked));
  // The pool keeps polling heads in the meantime, but not fifty times.
  expect(queries - before).toBeLessThan(10);
});
