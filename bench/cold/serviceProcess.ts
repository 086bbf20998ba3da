import { setMaxListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { openAccess } from "../../src/api/access/Gatekeeper.ts";
import { serveVersion } from "../../src/api/http/ServedVersion.ts";
import { contractLimits, Draining, openServer } from "../../src/api/http/server/server.ts";
import { Metrics } from "../../src/api/metrics.ts";
import { v2Api } from "../../src/api/v2/envelope.ts";
import { LiveChains } from "../../src/chain/LiveChains.ts";
import { poolSource } from "../../src/chain/poolSource.ts";
import { fromBase64 } from "../../src/lib/bytes.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openLog } from "../../src/lib/log.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { LitePool, pooledConnection } from "../../src/lite/pool/LitePool.ts";
import { accountIdToTl, blockIdToTl } from "../../src/lite/queries/ids.ts";
import { LiteConnection } from "../../src/lite/server/LiteConnection.ts";
import type { LiteServer } from "../../src/lite/server/LiteServer.ts";
import { getAccountState } from "../../src/lite/tl/liteQueries.ts";
import { encodeQuery } from "../../src/lite/tl/queryEnvelope.ts";
import { parseAddress } from "../../src/model/Address.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../src/model/block/BlockId.ts";
import { parseHash } from "../../src/model/Hash.ts";
import { openExecutor } from "../../src/tvm/run/openExecutor.ts";
import type { LiteFacts, ServiceAnswer, ServiceFacts, ServiceRequest } from "./messages.ts";

/*
 * The service as on a real network: v2, a pool, one lite server over ADNL, every proof checked. The only difference:
 * the newest block is given instead of fetched, and never gets old. `?n=…` makes every answer new; the benchmark can
 * also keep answers cached.
 */

const facts: LiteFacts = JSON.parse(process.argv[2] ?? "{}");
const isKept = process.argv[3] === "kept";
const modules = { clock: systemClock, random: systemRandom };
const address = { host: "127.0.0.1", port: facts.port, publicKey: fromBase64(facts.publicKey) };
const connection = new LiteConnection(address, modules, pooledConnection);
let asked = 0;
const counted: LiteServer = Object.create(connection, {
  ask: {
    value: (...args: Parameters<LiteServer["ask"]>) => {
      asked++;
      return connection.ask(...args);
    },
  },
});

function idOf(seqno: number, rootHash: string, fileHash: string): BlockIdExt {
  return {
    workchain: masterchain,
    shard: wholeShard,
    seqno,
    rootHash: parseHash(rootHash),
    fileHash: parseHash(fileHash),
  };
}

const { head: reported } = facts;
const block = idOf(reported.seqno, reported.rootHash, reported.fileHash);
const head = { block, genUtime: Math.floor(Date.now() / 1000) };
const pool = LitePool.open([{ name: "0", address: "", server: counted }], {
  ...modules,
  head: async () => head,
  find: async () => undefined,
});
await pool.waitHead(-1, AbortSignal.timeout(10_000), { access: "public" });
const executor = await openExecutor({}, { clock: systemClock });
const chains = new LiveChains({
  source: poolSource(pool, ["0"]),
  executor,
  clock: systemClock,
  zeroState: idOf(0, reported.zeroRootHash, reported.zeroFileHash),
});
const log = openLog({ level: "error" });
const [metrics, draining] = [new Metrics(), new Draining()];
const common = { clock: systemClock, log, metrics };
let epoch = 0;
let requests = 0;
const served = serveVersion(
  v2Api,
  {
    ...contractLimits,
    ...{ deadlineMs: 10_000, maxWaiting: 1000, headBytes: 32 << 20, lastingBytes: 32 << 20, trustedProxies: [] },
  },
  {
    ...common,
    services: { isLive: () => true, chains, proofs: "check" },
    // A new epoch for every request, so that nothing is answered from the cache.
    head: isKept ? () => Math.floor(requests / 1000) : () => ++epoch,
    access: openAccess,
    nextId: () => `r${++requests}`,
    isDraining: () => false,
  },
);
const server = await openServer(
  { ...contractLimits, host: "127.0.0.1", port: 0, metrics: { kind: "off" }, requestMs: 30_000, drainMs: 100 },
  {
    ...common,
    ...{ versions: [served], checks: [], draining },
    facts: () => ({ title: "", facts: [], links: [], examples: [] }),
  },
);
const sample = Buffer.from(
  await (
    await fetch(`http://127.0.0.1:${server.port}/api/v2/getAddressInformation?address=${facts.addresses[0]}`)
  ).text(),
);
const bare = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": sample.length }).end(sample);
});
bare.listen(0, "127.0.0.1", () => {
  const ready: ServiceFacts = { port: server.port, barePort: (bare.address() as AddressInfo).port };
  process.send?.(ready);
});

const { signal } = new AbortController();
setMaxListeners(0, signal);

/** The lite server's own time for the same queries over the same connection, without decoding. */
async function ownTimes(count: number): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const { address: account } = parseAddress(facts.addresses[at % facts.addresses.length] ?? "");
    const query = encodeQuery(getAccountState, { id: blockIdToTl(block), account: accountIdToTl(account) });
    const startedAt = performance.now();
    await connection.ask(query, { signal });
    times.push(performance.now() - startedAt);
  }
  return times;
}

async function answer(query: ServiceRequest): Promise<ServiceAnswer> {
  switch (query.kind) {
    case "resident":
      return { value: process.memoryUsage.rss() };
    case "asked":
      return { value: asked };
    case "own-times":
      return { times: await ownTimes(query.count) };
  }
}

process.on("message", (query: ServiceRequest) => {
  answer(query).then((answered) => process.send?.(answered));
});
process.on("disconnect", () => process.exit());
