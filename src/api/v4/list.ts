import type { Endpoint } from "../declare/endpoint.ts";
import * as accounts from "./accounts.ts";
import * as blocks from "./blocks.ts";
import * as config from "./config.ts";
import * as run from "./run.ts";
import type { V4Services } from "./Services.ts";
import * as send from "./send.ts";
import * as transactions from "./transactions.ts";

/** Every endpoint of v4, in the order in which the documentation shows them. */
export const v4Endpoints: readonly Endpoint<V4Services>[] = [blocks, accounts, run, config, transactions, send].flatMap(
  (file) => Object.values(file) as readonly Endpoint<V4Services>[],
);
