import { join } from "node:path";
import { serverSource } from "../chain/serverSource.ts";
import { LiteError } from "../lite/errors.ts";
import { Faucet } from "../localnet/faucet.ts";
import { Localnet } from "../localnet/Localnet.ts";
import { describeWalletId } from "../localnet/wallets/describeWallet.ts";
import type { AppConfig } from "./config.ts";
import type { LocalPlan } from "./networks/NetworkPlan.ts";
import { openDemo } from "./openDemo.ts";
import type { NetworkModules, OpenNetwork } from "./service/OpenNetwork.ts";
import { judgeAge } from "./service/remoteHealth.ts";
import { formatServing } from "./servingWelcome.ts";

/** The newest block of a local network. */
function headOf(net: Localnet) {
  const { head } = net.ledger;
  if (head === undefined) throw new LiteError("lite/none", "the local network has no block yet");
  return { block: head.id, genUtime: head.info.genUtime };
}

/** The folder of the local network's chain. */
export function localFolder({ data }: Pick<AppConfig, "data">): string {
  return join(data, "localnet");
}

/** Starts a local network as one that can be served. */
export async function openLocal({ name }: LocalPlan, modules: NetworkModules): Promise<OpenNetwork> {
  const { config, clock, executor, log } = modules;
  const folder = localFolder(config);
  const pace = { kind: "steady" as const, blockMs: config.blockMs };
  const { shards, globalVersion } = config;
  const options = { seed: "tongate", pace, folder, shards, globalVersion };
  const net = await Localnet.open(options, { clock, executor, log });
  const { lite, ledger } = net;
  const demo = await openDemo(net, config.demo, modules);
  const faucet = new Faucet({}, { net });
  return {
    ...{ name, lite },
    proofs: "check",
    zeroState: ledger.zero.id,
    source: serverSource(lite, () => headOf(net)),
    local: {
      ...{ faucet, demo },
      wallets: net.keys.wallets.map(({ wallet, words }, at) => ({
        ...{ name: `wallet ${at + 1}`, address: wallet.address, version: wallet.version, words },
        derivedWith: describeWalletId(wallet, net.globalId),
      })),
      advanceTime: (seconds) => {
        net.advanceTime(seconds);
        return net.clock.seconds;
      },
    },
    headSeqno: () => ledger.headId.seqno,
    headEpoch: () => ledger.headId.seqno,
    heads: async function* (signal) {
      yield headOf(net);
      for await (const { id, info } of net.heads(signal)) yield { block: id, genUtime: info.genUtime };
    },
    isLive: () => true,
    checks: [
      {
        name: "head",
        check: () => judgeAge(headOf(net).block.seqno, net.headAgeMs, { maxHeadAgeMs: config.maxHeadAgeMs }),
      },
    ],
    facts: () => [
      ["Network", "a local network of this machine"],
      ["Newest masterchain block", String(ledger.headId.seqno)],
    ],
    watch: (metrics) =>
      metrics.watchGauge("tongate_head_seqno", "Newest masterchain block.", () => ledger.headId.seqno),
    welcome: (origin, more) => formatServing({ net, folder, origin, demo, more }),
    close: async () => {
      faucet.close();
      await net.close();
    },
  };
}
