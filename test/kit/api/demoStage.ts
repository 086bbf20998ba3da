import { Value } from "typebox/value";
import { expect } from "vitest";
import { v3Api } from "../../../src/api/v3/envelope.ts";
import { v3Endpoints } from "../../../src/api/v3/list.ts";
import type { AbiLibrary, CompileSource } from "../../../src/contracts/AbiLibrary.ts";
import { contractHistory, History } from "../../../src/history/queries/kit/History.ts";
import type { Scope } from "../../../src/history/scope/Scope.ts";
import { claimScope } from "../../../src/history/scope/storedScope.ts";
import type { Database } from "../../../src/history/store/Database.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { seededRandom } from "../../../src/lib/random.ts";
import type { LiteServer } from "../../../src/lite/server/LiteServer.ts";
import { type Demo, makeDemo } from "../../../src/localnet/demo/Demo.ts";
import { playDemo } from "../../../src/localnet/demo/playDemo.ts";
import type { ShardCount } from "../../../src/localnet/ledger/shardCount.ts";
import { type Engine, openFresh } from "../history/database.ts";
import { ledgerHeads } from "../history/indexStage.ts";
import { openIndexer } from "../history/openIndexer.ts";
import { openChainKit, type TestChain } from "../localnet/localChain.ts";
import { patient } from "../tvm/fixtureServer.ts";
import { openApiServer, type TestServer, type TestServerOptions } from "./apiServer.ts";
import { joinLive, type LiveStage } from "./liveStage.ts";

export type Json = Readonly<Record<string, unknown>>;
export type JsonList = readonly Json[];

/** A v3 server over a chain with the demo set. The test decides when the chain grows. */
export interface DemoStage {
  readonly chain: TestChain;
  readonly demo: Demo;
  readonly live: LiveStage;
  readonly history: History;
  readonly database: Database;
  readonly server: TestServer;
  /** Brings the index up to the newest block. */
  index(): Promise<void>;
  /** The answer to a request, whatever its status; a successful one is checked against its schema. */
  ask(name: string, args?: Readonly<Record<string, string>>): Promise<Json>;
  close(): Promise<void>;
}

export interface DemoStageOptions extends TestServerOptions {
  readonly engine?: Engine;
  /** Wraps the lite server that the service uses. */
  readonly wrap?: (lite: LiteServer) => LiteServer;
  /** Number of basechain shards; defaults to one. */
  readonly shards?: ShardCount;
  /** What the index covers; the whole chain by default. */
  readonly scope?: (demo: Demo) => Scope;
  /** ABIs of one's own, made of the demo set. */
  readonly abis?: (demo: Demo) => AbiLibrary;
  /** Compiles sources that came with them. */
  readonly compile?: CompileSource;
  /** What happens on the chain; the demo set by default. */
  readonly play?: (chain: TestChain, demo: Demo) => Promise<unknown>;
}

const playSet = ({ net }: TestChain, demo: Demo): Promise<unknown> => playDemo(net, demo);

export async function openDemoStage(options: DemoStageOptions = {}): Promise<DemoStage> {
  const { engine = "postgres", wrap = (lite) => lite, shards = 1, scope, play = playSet, ...others } = options;
  const { abis: makeAbis, compile, ...serverOptions } = others;
  const kit = await openChainKit();
  const chain = await kit.open({ shards });
  const demo = makeDemo(chain.net.keys);
  await play(chain, demo);
  const database = await openFresh(engine);
  await claimScope(database, scope?.(demo));
  const timeoutMs = patient.deadlineMs;
  const library = makeAbis?.(demo);
  const abis = library && { library: () => library };
  const historyModules = { database, ...(abis !== undefined && { abis }) };
  const history = new History({ ...contractHistory, isTestnet: true, usesChainTime: true, timeoutMs }, historyModules);
  const { lite, ledger } = chain.net;
  const { executor } = kit;
  const live = joinLive({ server: wrap(lite), ledger, executor, history, clock: chain.clock });
  let changes = 0;
  const services = { history, live: live.live, pending: live.pending, abis, compile };
  const server = await openApiServer(v3Api, services, { head: () => changes, ...patient, ...serverOptions });
  const index = async () => {
    const modules = { server: lite, heads: ledgerHeads(ledger), database, executor, random: seededRandom("demo") };
    const goal = { from: "genesis", to: ledger.headId.seqno, network: "testnet" } as const;
    await openIndexer({ ...modules, clock: systemClock }, goal).indexer.run(new AbortController().signal);
    changes++;
  };
  const ask = async (name: string, args: Readonly<Record<string, string>> = {}): Promise<Json> => {
    const response = await fetch(`${server.origin}/api/v3/${name}?${new URLSearchParams(args)}`);
    const body = (await response.json()) as Json;
    const declared = v3Endpoints.find((endpoint) => endpoint.name === name);
    if (response.status === 200) expect(Value.Errors(declared?.result.schema ?? {}, body)).toEqual([]);
    return body;
  };
  await index();
  const close = async () => {
    await server.close();
    await live.close();
    await database.close();
    await kit.close();
  };
  return { chain, demo, live, history, database, server, index, ask, close };
}

export const listOf = (answer: Json, key: string): JsonList => answer[key] as JsonList;
