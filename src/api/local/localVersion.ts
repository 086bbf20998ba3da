import type { ApiVersion } from "../declare/ApiVersion.ts";
import { v2Api } from "../v2/envelope.ts";
import { addAbi } from "./abi/abi.ts";
import { actonEndpoints, actonPrefix } from "./acton.ts";
import { advance } from "./advance.ts";
import { block } from "./block.ts";
import { networkConditions } from "./conditions.ts";
import { setConfig } from "./config.ts";
import { checkControls, checkKeyless, type LocalControls } from "./controls.ts";
import { demo } from "./demo.ts";
import { faucet } from "./faucet.ts";
import { actonFileEndpoints, fixtureEndpoints } from "./fixtures.ts";
import { forkEndpoints } from "./fork.ts";
import { impersonationEndpoints } from "./impersonation.ts";
import { inspectionEndpoints } from "./inspect/inspection.ts";
import type { LocalServices } from "./LocalServices.ts";
import { liteServers } from "./liteServers.ts";
import { mempoolEndpoints } from "./mempool.ts";
import { paceEndpoints } from "./pace.ts";
import { signTransfer } from "./signTransfer.ts";
import { snapshotEndpoints } from "./snapshots.ts";
import { stateEndpoints } from "./state.ts";
import { time } from "./time.ts";
import { tokenEndpoints } from "./tokens.ts";
import { wallets } from "./wallets.ts";

/** Every endpoint of a local network. */
export const localEndpoints = [
  faucet,
  time,
  advance,
  block,
  // Before those that go back: what they show would be gone when all are tried in turn.
  ...inspectionEndpoints,
  ...snapshotEndpoints,
  wallets,
  signTransfer,
  demo,
  liteServers,
  ...forkEndpoints,
  ...stateEndpoints,
  setConfig,
  ...fixtureEndpoints,
  ...tokenEndpoints,
  ...impersonationEndpoints,
  ...mempoolEndpoints,
  networkConditions,
  ...paceEndpoints,
  addAbi,
  ...actonEndpoints,
  ...actonFileEndpoints,
];

/** Every endpoint of a local network, as declared. */
export type LocalEndpoint = (typeof localEndpoints)[number];

/** What only a local network answers, in the envelope of v2; the controls decide who may change the network. */
export function makeLocalApi(controls: LocalControls): ApiVersion<LocalServices> {
  return { ...localApi, checkPost: (origin) => checkControls(controls, origin), checkKeyless };
}

const localApi: ApiVersion<LocalServices> = {
  ...v2Api,
  name: "localnet",
  title: "Tongate local network",
  about: "Endpoints of a local network: faucet, time travel, snapshots, and demo contracts.",
  base: "/localnet",
  endpoints: localEndpoints,
  rootPrefix: actonPrefix,
  rpcPath: undefined,
  rpcAliases: [],
};
