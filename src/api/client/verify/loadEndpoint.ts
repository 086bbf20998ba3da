import type { Endpoint } from "../../declare/endpoint.ts";
import type { V2Services } from "../../v2/declare.ts";
import type { V2File } from "../../v2/list.ts";
import { v2Names } from "./clientNames.ts";
import { endpointFiles } from "./endpointFiles.ts";

/** The declarations, each loaded with the first call that needs it. */
const loaders: Readonly<Record<V2File, () => Promise<object>>> = {
  balances: () => import("../../v2/balances.ts"),
  accounts: () => import("../../v2/accounts.ts"),
  wallets: () => import("../../v2/wallets.ts"),
  contracts: () => import("../../v2/contracts.ts"),
  blocks: () => import("../../v2/blocks.ts"),
  transactions: () => import("../../v2/transactions.ts"),
  replay: () => import("../../v2/replay.ts"),
  config: () => import("../../v2/config.ts"),
  runMethod: () => import("../../v2/runMethod.ts"),
  send: () => import("../../v2/send.ts"),
  fees: () => import("../../v2/fees.ts"),
  detect: () => import("../../v2/detect.ts"),
};

/** The declaration of an endpoint of v2. */
export async function loadEndpoint(name: string): Promise<Endpoint<V2Services> | undefined> {
  const file = endpointFiles[v2Names.indexOf(name)];
  const declared: readonly Endpoint<V2Services>[] = file === undefined ? [] : Object.values(await loaders[file]());
  return declared.find((endpoint) => endpoint.name === name);
}
