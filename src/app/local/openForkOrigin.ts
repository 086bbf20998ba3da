import { LiteError } from "../../lite/errors.ts";
import { TrustedChain } from "../../lite/queries/TrustedChain.ts";
import { ask } from "../../lite/server/LiteServer.ts";
import { getMasterchainInfo } from "../../lite/tl/liteQueries.ts";
import type { ForkOrigin } from "../../localnet/fork/fetchBase.ts";
import { type BlockIdExt, masterchain, wholeShard } from "../../model/block/BlockId.ts";
import { hashFromBytes } from "../../model/Hash.ts";
import { systemSources } from "../config.ts";
import { AppError } from "../errors.ts";
import { planNetworks } from "../networks/planNetworks.ts";
import { findShipped, shippedNames } from "../networks/shipped.ts";
import type { NetworkModules } from "../service/parts/OpenNetwork.ts";
import { openRemote } from "../service/remote/openRemote.ts";
import { HttpLite } from "./HttpLite.ts";

/** The network that a fork continues, and how to leave it. */
export interface OpenOrigin extends ForkOrigin {
  readonly close: () => Promise<void>;
}

/** Opens the network that a fork continues, by its name, its global configuration or its address. */
export function openForkOrigin(name: string, modules: NetworkModules): OpenOrigin {
  if (/^https?:\/\//.test(name)) return openTongate(name);
  const [plan] = planNetworks({ ...modules.config, network: [name] }, systemSources.findFile);
  if (plan?.kind !== "remote") throw new AppError("app/config", `--fork ${name}: a network cannot continue itself`);
  const network = openRemote(plan, modules);
  return {
    name: plan.name,
    server: network.lite,
    head: async (signal) => {
      for await (const { block } of network.heads(signal)) return { block, zeroState: plan.zeroState };
      throw new LiteError("lite/none", `${plan.name} has no block`);
    },
    close: () => network.close(),
  };
}

/**
 * Another Tongate. Whoever names it trusts its zero state; from there, or from a block in this package, all is proved.
 */
function openTongate(address: string): OpenOrigin {
  const server = new HttpLite(address);
  let chain: TrustedChain | undefined;
  return {
    name: address,
    server,
    head: async (signal) => {
      const { init } = await ask(server, getMasterchainInfo, {}, { signal });
      const hashes = { rootHash: hashFromBytes(init.rootHash), fileHash: hashFromBytes(init.fileHash) };
      const zeroState = { workchain: masterchain, shard: wholeShard, seqno: 0, ...hashes };
      chain ??= new TrustedChain({ start: findStart(zeroState) ?? zeroState, zeroState, proofs: "check" });
      const { block } = await chain.head(server, { signal });
      return { block, zeroState };
    },
    close: () => server.close(),
  };
}

/** The trusted block of a network that this package knows. */
function findStart({ rootHash }: BlockIdExt): BlockIdExt | undefined {
  return shippedNames.map(findShipped).find((known) => known?.zeroState.rootHash === rootHash)?.initBlock;
}
