import { serverSource } from "../../chain/serverSource.ts";
import { toBase64 } from "../../lib/bytes.ts";
import { systemRandom } from "../../lib/random.ts";
import { LiteError } from "../../lite/errors.ts";
import type { Fork } from "../../localnet/fork/Fork.ts";
import { usualSeed as seed } from "../../localnet/genesis/usualWallets.ts";
import { ConditionedServer } from "../../localnet/network/ConditionedServer.ts";
import { Faucet } from "../../localnet/network/faucet.ts";
import { Localnet } from "../../localnet/network/Localnet.ts";
import type { LocalnetOptions } from "../../localnet/network/LocalnetOptions.ts";
import type { OfferedWallet } from "../../localnet/offer/LocalOffer.ts";
import { signOffered } from "../../localnet/offer/signOffered.ts";
import { blueprintLines, describeWalletId } from "../../localnet/wallets/describeWallet.ts";
import { masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { localFolder } from "../dataFolder.ts";
import type { LocalPlan } from "../NetworkPlan.ts";
import { type Closers, openTogether } from "../service/parts/Closers.ts";
import { shareCellMemory } from "../service/parts/cellMemory.ts";
import type { NetworkModules, OpenNetwork } from "../service/parts/OpenNetwork.ts";
import { judgeAge } from "../service/remote/remoteHealth.ts";
import { arrivedAccounts } from "./arrivedAccounts.ts";
import { IndexReset, openSnapshots } from "./LocalSnapshots.ts";
import { historyOf, type OpenDemo, openDemo, rememberDemo } from "./openDemo.ts";
import { openForkOrigin } from "./openForkOrigin.ts";
import { type ServedLite, serveAsLiteServer } from "./serveAsLiteServer.ts";
import { formatServing } from "./servingWelcome.ts";

/** The newest block of a local network, as answers are given from it. */
function headOf(net: Localnet) {
  const { head } = net.ledger;
  if (head === undefined) throw new LiteError("lite/none", "the local network has no block yet");
  return { block: head.id, genUtime: head.info.genUtime };
}

/** Starts a local network as one that can be served. */
export async function openLocal({ name }: LocalPlan, modules: NetworkModules): Promise<OpenNetwork> {
  return openTogether(async (closers) => {
    const { config, clock, executor, log } = modules;
    const folder = localFolder(config);
    const pace = { kind: "steady" as const, blockMs: config.blockMs };
    const { shards, globalVersion } = config;
    const { chain: cellBytes, proofs: proofBytes } = shareCellMemory(config, "local");
    const historySeconds = historyOf(folder, config.demo);
    const fork = openFork(modules, closers);
    const options = { seed, pace, folder, shards, globalVersion, cellBytes, proofBytes, historySeconds, fork };
    const net = await Localnet.open(options, { clock, executor, log });
    closers.add("network", () => net.close());
    // The first block is made after the index was compared: one that knows more than the chain proves that blocks are
    // lost.
    net.pause();
    const conditioned = new ConditionedServer(net.lite, { clock, random: systemRandom });
    const serving = { port: config.litePort, folder, seed, maxClients: modules.liteClients };
    const lite = await serveAsLiteServer(serving, { net, served: conditioned, log }, closers);
    const faucet = new Faucet({}, { net });
    closers.add("faucet", async () => faucet.close());
    // The demo set belongs to a network of our own.
    const demo = openDemo(net, rememberDemo(folder, net.fork === undefined ? config.demo : "off"), modules);
    return networkOf(name, { net, conditioned, folder, lite, faucet, demo, closers }, modules);
  });
}

/** The network that this one continues, if it is to continue one. */
function openFork(modules: NetworkModules, closers: Closers): LocalnetOptions["fork"] {
  const { fork: name, forkBlock: seqno, forkTime: time, forkQueues: queues, forkId: globalId } = modules.config;
  if (name === undefined) return undefined;
  const origin = openForkOrigin(name, modules);
  closers.add("origin of the fork", () => origin.close());
  return { origin, seqno, time, queues, globalId };
}

interface LocalParts {
  readonly net: Localnet;
  /** The chain as its clients reach it. */
  readonly conditioned: ConditionedServer;
  readonly folder: string;
  /** Absent where nobody listens for lite clients. */
  readonly lite: ServedLite | undefined;
  readonly faucet: Faucet;
  readonly demo: OpenDemo;
  readonly closers: Closers;
}

function describeFork({ facts: { origin, master } }: Fork): string {
  return `a local network that continues ${origin} at block ${master.seqno}`;
}

function offerWallets({ keys, globalId }: Localnet): readonly OfferedWallet[] {
  return keys.wallets.map(({ wallet, words }, at) => ({
    ...{ name: `wallet ${at + 1}`, address: wallet.address, version: wallet.version, words },
    derivedWith: describeWalletId(wallet, globalId),
    blueprint: blueprintLines(wallet, words, globalId),
  }));
}

function networkOf(
  name: string,
  { net, conditioned, folder, lite, faucet, demo, closers }: LocalParts,
  { config, clock, log, reopen }: NetworkModules,
): OpenNetwork {
  const { ledger } = net;
  const { maxHeadAgeMs, data } = config;
  const served = { data, folder, lite };
  const fork = net.fork && { origin: net.fork.facts.origin, seqno: net.fork.facts.master.seqno };
  let preparing: Promise<void> = Promise.resolve();
  return {
    ...{ name, lite: net.lite, arrived: net.fork && arrivedAccounts(net.fork, net) },
    servers: [{ name, server: net.lite }],
    proofs: "check",
    zeroState: ledger.zero.id,
    source: serverSource(conditioned, () => headOf(net)),
    local: {
      ...{ faucet, net, demo: demo.find },
      setConditions: (conditions) => conditioned.setConditions(conditions),
      wallets: offerWallets(net),
      signTransfer: (wanted) => signOffered(net, wanted),
      liteServer: lite === undefined ? undefined : { ...lite, key: toBase64(lite.publicKey) },
      now: () => net.clock.seconds,
      advanceTime: (seconds) => net.advanceTime(seconds),
      snapshots: openSnapshots({ net, folder, clock, log, reopen, kept: `${folder}-snapshots` }),
      makeBlock: async () => {
        const { id, info } = await net.step();
        return { seqno: id.seqno, madeAt: info.genUtime };
      },
    },
    indexReset: new IndexReset(folder),
    findRootHash: (seqno) => ledger.findBySeqno({ workchain: masterchain, shard: wholeShard, seqno })?.id.rootHash,
    headSeqno: () => ledger.headId.seqno,
    headEpoch: () => ledger.headId.seqno,
    heads: async function* (signal) {
      yield headOf(net);
      for await (const { id, info } of net.heads(signal)) yield { block: id, genUtime: info.genUtime };
    },
    isLive: () => true,
    checks: [{ name: "head", check: () => judgeAge(headOf(net).block.seqno, net.headAgeMs, { maxHeadAgeMs }) }],
    facts: () => [
      ["Network", net.fork === undefined ? "a local network of this machine" : describeFork(net.fork)],
      ["Newest masterchain block", String(ledger.headId.seqno)],
    ],
    watch: (metrics) =>
      metrics.watchGauge("tongate_head_seqno", "Newest masterchain block.", () => ledger.headId.seqno),
    welcome: (origin, more, style) =>
      formatServing({ ...served, fork, wallets: net.keys.wallets, demo: demo.planned, origin, more }, style),
    prepare: () => {
      net.resume();
      preparing = demo.make();
      return preparing;
    },
    close: async () => {
      await closers.close();
      // A demo set that is being made ends with the network.
      await preparing;
    },
  };
}
