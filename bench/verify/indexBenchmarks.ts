import { openStore } from "../../src/api/client/verify/openStore.ts";
import { TrustedBlocks } from "../../src/api/client/verify/TrustedBlocks.ts";
import { Verifier } from "../../src/api/client/verify/Verifier.ts";
import type { ProofRequest } from "../../src/api/declare/proof.ts";
import { v3Endpoints } from "../../src/api/v3/list.ts";
import type { V3Services } from "../../src/api/v3/services/Services.ts";
import { V3Reader } from "../../src/api/v3/V3Reader.ts";
import { LiveChains } from "../../src/chain/LiveChains.ts";
import { serverSource } from "../../src/chain/serverSource.ts";
import { databaseSink } from "../../src/history/ingest/databaseSink.ts";
import { Indexer } from "../../src/history/ingest/Indexer.ts";
import { AccountQueries } from "../../src/history/ingest/source/AccountQueries.ts";
import { openSource } from "../../src/history/ingest/source/BlockSource.ts";
import { contractHistory, History } from "../../src/history/queries/kit/History.ts";
import type { Database } from "../../src/history/store/Database.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { type JsonValue, parseJson } from "../../src/lib/json.ts";
import { openLog } from "../../src/lib/log.ts";
import { seededRandom } from "../../src/lib/random.ts";
import { type Demo, makeDemo } from "../../src/localnet/demo/Demo.ts";
import { playDemo } from "../../src/localnet/demo/playDemo.ts";
import { Localnet } from "../../src/localnet/network/Localnet.ts";
import { formatRawAddress } from "../../src/model/Address.ts";
import { type LiveExecutor, openExecutor } from "../../src/tvm/run/openExecutor.ts";
import { type Benchmark, benchmark, type Measured } from "../kit/benchmark.ts";
import { once, withEmbedded } from "../kit/databases.ts";
import { columns } from "./columns.ts";
import { openServing } from "./openServing.ts";
import { rememberingServer } from "./rememberingServer.ts";

const { signal } = new AbortController();
const log = openLog({ level: "silent" });
const upToDate: ProofRequest = { since: 0 };

/** Measured operations of v3, each with the query of a request; rows of others are what a request needs. */
const operations: Readonly<Record<string, (demo: Demo, rows: RowsOf) => Promise<string>>> = {
  transactions: async ({ people }) => `account=${formatRawAddress(people.alice.address)}&limit=10`,
  transactionsByMessage: async (_demo, rows) => {
    const [message] = await rows("messages", "limit=1&exclude_externals=true");
    return `msg_hash=${encodeURIComponent(String(message?.hash))}`;
  },
  traces: async ({ people }) => `account=${formatRawAddress(people.alice.address)}&limit=2`,
  messages: async () => "limit=10&exclude_externals=true",
  actions: async () => "limit=5&include_transactions=true",
  blocks: async () => "workchain=-1&limit=5",
  accountStates: async ({ people }) => `address=${formatRawAddress(people.alice.address)}`,
  walletStates: async ({ people }) => `address=${formatRawAddress(people.alice.address)}`,
  "jetton/masters": async ({ jetton }) => `address=${formatRawAddress(jetton.minter)}`,
  "jetton/wallets": async ({ jetton, people }) => `address=${formatRawAddress(jetton.walletOf(people.alice.address))}`,
  "nft/collections": async ({ nft }) => `collection_address=${formatRawAddress(nft.collection)}`,
  "nft/items": async ({ nft }) => `address=${formatRawAddress(nft.items[0] ?? nft.collection)}`,
  "dns/records": async (_demo, rows) => {
    const items = await rows("nft/items", "limit=100");
    return `domain=${items.flatMap(({ content }) => Object(content).domain ?? [])[0]}`;
  },
  "multisig/wallets": async ({ multisig }) => `address=${formatRawAddress(multisig.wallet)}`,
  "multisig/orders": async ({ multisig }) => `address=${formatRawAddress(multisig.openOrder)}`,
  vesting: async ({ vesting }) => `contract_address=${formatRawAddress(vesting.wallet)}`,
};

/** The rows of a list. */
type RowsOf = (name: string, query: string) => Promise<readonly Readonly<Record<string, JsonValue>>[]>;

type Figures = Readonly<Record<keyof typeof columns, Measured>>;

/** All figures come from one index. */
const measureAll = once(() => withEmbedded(measureOn));

async function measureOn(database: Database): Promise<ReadonlyMap<string, Figures>> {
  const executor = await openExecutor({}, { clock: systemClock });
  const options = { seed: "verify", pace: { kind: "manual" } } as const;
  const net = await Localnet.open(options, { clock: systemClock, executor, log });
  const demo = makeDemo(net.keys);
  await playDemo(net, demo);
  await index(database, net, executor);
  const stage = openStage(database, net, executor);
  const figures = new Map<string, Figures>();
  for (const [name, queryOf] of Object.entries(operations))
    figures.set(name, await stage.measure(name, await queryOf(demo, stage.rowsOf)));
  await net.close();
  await executor.close();
  return figures;
}

async function index(database: Database, { ledger, lite: server }: Localnet, executor: LiveExecutor): Promise<void> {
  const common = { clock: systemClock, random: seededRandom("index") };
  const heads = { reach: async () => ledger.headId };
  const source = openSource({ server, heads, ...common });
  const queries = new AccountQueries(common);
  const modules = { ...common, server, executor, heads, source, sink: databaseSink(database), database, queries };
  await new Indexer(modules, { from: "genesis", to: ledger.headId.seqno, network: "testnet" }).run(signal);
}

function openStage(database: Database, { ledger, lite }: Localnet, executor: LiveExecutor) {
  const history = new History(contractHistory, { database });
  const head = () => ({ block: ledger.headId, genUtime: ledger.head?.info.genUtime ?? 0 });
  const zeroState = ledger.zero.id;
  const start = { zeroState, initBlock: zeroState };
  const chains = new LiveChains({
    source: serverSource(rememberingServer(lite), head),
    executor,
    clock: systemClock,
    zeroState,
  });
  const verifier = new Verifier<V3Services>({
    ...{ start, executor, clock: systemClock, maxAge: Number.POSITIVE_INFINITY },
    trusted: new TrustedBlocks(start, openStore("memory", "")),
    services: (opened) => ({ history, live: { isLive: () => true, chains: opened } }),
  });
  const { serve, prove } = openServing<V3Services>({ history, live: { isLive: () => true, chains } });
  const rowsOf: RowsOf = async (name, query) => {
    const result = Object(parseJson(await serve(readRequest(name, query))));
    return Object.values(result).find(Array.isArray) as Awaited<ReturnType<RowsOf>>;
  };
  const measure = async (name: string, query: string): Promise<Figures> => {
    const request = readRequest(name, query);
    const { result, proof } = await prove(request, upToDate);
    const received = { result: parseJson(result), proof: parseJson(proof, { maxLength: 1 << 26 }) };
    const call = { ...request, since: zeroState, signal };
    const race = (subject: () => Promise<unknown>) =>
      benchmark({
        ...{ name, group: "verify", unit: "" },
        baseline: { name: "", run: () => serve(request) },
        subject: { run: subject },
      }).measure();
    return {
      size: { value: proof.length, ratio: proof.length / result.length },
      server: await race(() => serve(request, upToDate)),
      node: await race(() => verifier.check(call, received)),
    };
  };
  return { rowsOf, measure };
}

function readRequest(name: string, query: string) {
  const endpoint = v3Endpoints.find((each) => each.name === name);
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
  const given: Record<string, string[]> = {};
  for (const [key, value] of new URLSearchParams(query)) given[key] = [...(given[key] ?? []), value];
  return { endpoint, args: new V3Reader(endpoint.args).fromQuery(given, {}) };
}

const units = { size: "bytes", server: "requests/s", node: "answers/s" } as const;
const baselines = { size: "the result", server: "without a proof", node: "the server, without" } as const;

/** The provable part of v3, over the index of a network with the demo set. */
export function indexBenchmarks(): readonly Benchmark[] {
  const figures = Object.keys(units) as (keyof typeof units)[];
  return Object.keys(operations).flatMap((name) =>
    figures.map((figure) => ({
      ...{ name: `v3 ${name}: ${figure}`, group: "verify", unit: units[figure], baseline: baselines[figure] },
      mark: undefined,
      cell: { row: `v3 ${name}`, ...columns[figure] },
      measure: async () => {
        const measured = (await measureAll()).get(name)?.[figure];
        if (measured === undefined) throw new Error(`${name} was not measured`);
        return measured;
      },
    })),
  );
}
