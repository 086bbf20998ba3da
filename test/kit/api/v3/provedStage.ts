import { openStore } from "../../../../src/api/client/verify/openStore.ts";
import { TrustedBlocks } from "../../../../src/api/client/verify/TrustedBlocks.ts";
import { type ReceivedAnswer, Verifier } from "../../../../src/api/client/verify/Verifier.ts";
import { v3Api } from "../../../../src/api/v3/envelope.ts";
import { v3Endpoints } from "../../../../src/api/v3/list.ts";
import type { V3Services } from "../../../../src/api/v3/services/Services.ts";
import { V3Reader } from "../../../../src/api/v3/V3Reader.ts";
import { contractHistory, History } from "../../../../src/history/queries/kit/History.ts";
import type { Database } from "../../../../src/history/store/Database.ts";
import { type JsonValue, parseJson } from "../../../../src/lib/json.ts";
import type { TrustedStart } from "../../../../src/lite/server/knownNetworks.ts";
import { openFresh } from "../../history/database.ts";
import { indexChain } from "../../history/indexedChain.ts";
import { openChainKit, type TestChain } from "../../localnet/localChain.ts";
import { openApiServer, type TestServer, type TestServerOptions } from "../apiServer.ts";
import { joinLive } from "../liveStage.ts";

export type Json = Readonly<Record<string, JsonValue>>;

/** A server of v3 over the index of a local network, and a receiver that believes nothing. */
export interface ProvedStage {
  readonly chain: TestChain;
  readonly database: Database;
  /** The base of its URLs. */
  readonly base: string;
  /** Where its receivers begin to trust. */
  readonly start: TrustedStart;
  /** Sends a request; the status and the body. */
  ask(path: string, init?: RequestInit): Promise<{ readonly status: number; readonly body: Json }>;
  /** Serves the same with other options, for as long as the caller wants. */
  serve(options: TestServerOptions): Promise<TestServer>;
  /** What the receiver makes of an answer. */
  check(path: string, answer: ReceivedAnswer, options?: { readonly laterMs?: number }): Promise<JsonValue>;
  close(): Promise<void>;
}

/** Opens it after something has happened on the chain. */
export async function openProvedStage(happen: (chain: TestChain) => Promise<void>): Promise<ProvedStage> {
  const kit = await openChainKit();
  const chain = await kit.open();
  await happen(chain);
  const { ledger, lite } = chain.net;
  const database = await openFresh("embedded");
  await indexChain(database, ledger);
  const history = new History(contractHistory, { database });
  const live = joinLive({ server: lite, ledger, executor: kit.executor, history, clock: chain.clock });
  const services = { history, ...live };
  const server = await openApiServer(v3Api, services);
  const start = { zeroState: ledger.zero.id, initBlock: ledger.zero.id };
  const { signal } = new AbortController();
  const base = `${server.origin}/api/v3`;
  return {
    chain,
    database,
    base,
    start,
    ask: async (path, init) => {
      const response = await fetch(`${base}/${path}`, init);
      return { status: response.status, body: parseJson(await response.text(), { maxLength: 1 << 26 }) as Json };
    },
    serve: (options) => openApiServer(v3Api, services, options),
    check: async (path, answer, { laterMs = 0 } = {}) => {
      const verifier = new Verifier<V3Services>({
        ...{ start, executor: kit.executor, maxAge: 60 },
        clock: { now: () => (ledger.head?.info.genUtime ?? 0) * 1000 + laterMs, monotonic: () => 0 },
        trusted: new TrustedBlocks(start, openStore("memory", "")),
        services: (chains) => ({ history, live: { isLive: () => true, chains } }),
      });
      const { endpoint, args } = readPath(path);
      return verifier.check({ endpoint, args, since: start.initBlock, signal }, answer);
    },
    close: async () => {
      await server.close();
      await live.close();
      await database.close();
      await kit.close();
    },
  };
}

function readPath(path: string) {
  const [name = "", query = ""] = path.split("?");
  const endpoint = v3Endpoints.find((each) => each.name === name);
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
  const given: Record<string, string[]> = {};
  for (const [key, value] of new URLSearchParams(query)) given[key] = [...(given[key] ?? []), value];
  return { endpoint, args: new V3Reader(endpoint.args).fromQuery(given, {}) };
}
