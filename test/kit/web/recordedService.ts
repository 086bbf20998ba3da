import { formatGlobalConfig } from "../../../src/localnet/network/globalConfig.ts";
import { LocalLiteServer } from "../../../src/localnet/network/LocalLiteServer.ts";
import type { RemoteStage, TestService } from "../app/remoteStage.ts";
import { importSplitChain } from "../localnet/splitChain.ts";
import { until } from "./localActs.ts";

/** Serves a recorded chain with its whole index and the explorer. */
export async function serveRecorded(stage: RemoteStage): Promise<TestService> {
  const ledger = importSplitChain();
  const { port, publicKey } = await stage.openServer(new LocalLiteServer({ ledger }));
  const config = stage.write(
    "recorded.json",
    formatGlobalConfig({ zeroState: ledger.zero.id, host: "127.0.0.1", port, publicKey }),
  );
  const service = await stage.serve([
    "--network",
    config,
    "--trust",
    "--index",
    "--from",
    "genesis",
    "--explorer",
    "on",
  ]);
  const seqno = async () => Object((await service.ask("/api/v3/masterchainInfo")).body).last?.seqno;
  await until(async () => (await seqno()) === ledger.headId.seqno);
  return service;
}

/** Explorer paths of existing things, picked with a seeded random. */
export async function listPaths(service: TestService, count: number): Promise<string[]> {
  const ask = async (path: string) => Object((await service.ask(path)).body);
  const { transactions } = await ask("/api/v3/transactions?limit=1000");
  const { blocks } = await ask("/api/v3/blocks?limit=1000");
  const hex = (hash: string) => Buffer.from(hash, "base64").toString("hex");
  const tabs = ["actions", "transactions", "tokens", "nfts", "methods", "code"];
  const kinds: ((random: number) => string)[] = [
    (random) => `/tx/${hex(pick<{ hash: string }>(transactions, random).hash)}`,
    (random) => `/trace/${hex(pick<{ trace_id: string }>(transactions, random).trace_id)}`,
    (random) => {
      const { workchain, shard, seqno } = pick<{ workchain: number; shard: string; seqno: number }>(blocks, random);
      return `/block/${workchain}/${shard}/${seqno}`;
    },
    (random) => `/address/${pick<{ account: string }>(transactions, random).account}?tab=${pick(tabs, random >> 3)}`,
    (random) => `/config/${1 + (random % 40)}?against=${1 + ((random >> 4) % 40)}`,
  ];
  let state = 12_345;
  return Array.from({ length: count }, (_none, at) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return pick(kinds, at)(state >> 4);
  });
}

function pick<Item>(items: readonly Item[], random: number): Item {
  const item = items[random % items.length];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}
