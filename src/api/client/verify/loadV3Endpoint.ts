import type { Endpoint } from "../../declare/endpoint.ts";
import type { V3File } from "../../v3/list.ts";
import type { V3Services } from "../../v3/services/Services.ts";
import { fileOfV3Endpoint } from "./v3EndpointFiles.ts";

/** The declarations, each loaded with the first call that needs it. */
const loaders: Readonly<Record<V3File, () => Promise<object>>> = {
  accounts: () => import("../../v3/accounts.ts"),
  actions: () => import("../../v3/actions.ts"),
  contract: () => import("../../v3/contract.ts"),
  pending: () => import("../../v3/pending.ts"),
  blockchain: () => import("../../v3/blockchain.ts"),
  jettons: () => import("../../v3/jettons.ts"),
  nfts: () => import("../../v3/nfts.ts"),
  dns: () => import("../../v3/dns.ts"),
  multisig: () => import("../../v3/multisig.ts"),
  vesting: () => import("../../v3/vesting.ts"),
  validators: () => import("../../v3/validators.ts"),
  staking: () => import("../../v3/staking.ts"),
  stats: () => import("../../v3/stats.ts"),
  decode: () => import("../../v3/decode.ts"),
  legacy: () => import("../../v3/legacy.ts"),
};

/** The declaration of an endpoint of v3. */
export async function loadV3Endpoint(name: string): Promise<Endpoint<V3Services> | undefined> {
  const file = fileOfV3Endpoint[name];
  const declared: readonly Endpoint<V3Services>[] = file === undefined ? [] : Object.values(await loaders[file]());
  return declared.find((endpoint) => endpoint.name === name);
}
