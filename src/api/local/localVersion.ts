import type { ApiVersion } from "../declare/ApiVersion.ts";
import { v2Api } from "../v2/envelope.ts";
import { advance } from "./advance.ts";
import { block } from "./block.ts";
import { checkControls, type LocalControls } from "./controls.ts";
import { demo } from "./demo.ts";
import { faucet } from "./faucet.ts";
import type { LocalServices } from "./LocalServices.ts";
import { liteServers } from "./liteServers.ts";
import { signTransfer } from "./signTransfer.ts";
import { snapshotEndpoints } from "./snapshots.ts";
import { time } from "./time.ts";
import { wallets } from "./wallets.ts";

/** What only a local network answers, in the envelope of v2; the controls decide who may change the network. */
export function makeLocalApi(controls: LocalControls): ApiVersion<LocalServices> {
  return { ...localApi, checkPost: (origin) => checkControls(controls, origin) };
}

const localApi: ApiVersion<LocalServices> = {
  ...v2Api,
  name: "localnet",
  title: "Tongate local network",
  about: "Endpoints of a local network: faucet, time travel, snapshots, and demo contracts.",
  base: "/localnet",
  endpoints: [faucet, time, advance, block, ...snapshotEndpoints, wallets, signTransfer, demo, liteServers],
  rpcPath: undefined,
  rpcAliases: [],
};
