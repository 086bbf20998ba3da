import { type Endpoint, type EndpointOf, endpointsIn } from "../declare/endpoint.ts";
import * as accounts from "./accounts.ts";
import * as balances from "./balances.ts";
import * as blocks from "./blocks.ts";
import * as config from "./config.ts";
import * as contracts from "./contracts.ts";
import type { V2Services } from "./declare.ts";
import * as detect from "./detect.ts";
import * as fees from "./fees.ts";
import * as replay from "./replay.ts";
import * as runMethod from "./runMethod.ts";
import * as send from "./send.ts";
import * as transactions from "./transactions.ts";
import * as wallets from "./wallets.ts";

/** The tag files of v2, in the order in which the documentation shows them. */
export const v2Files = {
  balances,
  accounts,
  wallets,
  contracts,
  blocks,
  transactions,
  replay,
  config,
  runMethod,
  send,
  fees,
  detect,
} as const;

/** Every endpoint of v2. */
export const v2Endpoints = endpointsIn<Endpoint<V2Services>>(Object.values(v2Files));

export type V2File = keyof typeof v2Files;

/** Every endpoint of v2, as declared. */
export type V2Endpoint = EndpointOf<(typeof v2Files)[V2File]>;
