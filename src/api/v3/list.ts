import { type Endpoint, type EndpointOf, endpointsIn } from "../declare/endpoint.ts";
import * as accounts from "./accounts.ts";
import * as actions from "./actions.ts";
import * as blockchain from "./blockchain.ts";
import * as contract from "./contract.ts";
import type { Scoped } from "./declare.ts";
import * as decode from "./decode.ts";
import * as dns from "./dns.ts";
import * as jettons from "./jettons.ts";
import * as legacy from "./legacy.ts";
import * as multisig from "./multisig.ts";
import * as nfts from "./nfts.ts";
import * as pending from "./pending.ts";
import type { V3Services } from "./services/Services.ts";
import * as staking from "./staking.ts";
import * as stats from "./stats.ts";
import * as validators from "./validators.ts";
import * as vesting from "./vesting.ts";

/** The tag files of v3, in the order in which the documentation shows them. A tag file exports endpoints only. */
export const v3Files = {
  accounts,
  actions,
  pending,
  blockchain,
  jettons,
  nfts,
  dns,
  multisig,
  vesting,
  validators,
  staking,
  stats,
  decode,
  contract,
  legacy,
} as const;

/** Every endpoint of v3. */
export const v3Endpoints = endpointsIn<Endpoint<V3Services> & Scoped>(Object.values(v3Files));

export type V3File = keyof typeof v3Files;

/** Every endpoint of v3, as declared. */
export type V3Endpoint = EndpointOf<(typeof v3Files)[V3File]>;
