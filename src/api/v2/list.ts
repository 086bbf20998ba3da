import type { Endpoint } from "../declare/endpoint.ts";
import * as accounts from "./accounts.ts";
import * as blocks from "./blocks.ts";
import * as config from "./config.ts";
import * as detect from "./detect.ts";
import * as replay from "./replay.ts";
import * as runMethod from "./runMethod.ts";
import type { V2Services } from "./Services.ts";
import * as send from "./send.ts";
import * as transactions from "./transactions.ts";

/** The tag files of v2, in the order in which the documentation shows them. */
const tagFiles = [accounts, blocks, transactions, replay, config, runMethod, send, detect] as const;

type EndpointsOf<File> = File extends unknown ? File[keyof File] : never;

/** Every endpoint of v2, as declared. */
export type V2Endpoint = EndpointsOf<(typeof tagFiles)[number]>;

/** Every endpoint of v2. */
export const v2Endpoints: readonly Endpoint<V2Services>[] = tagFiles.flatMap((file) => Object.values(file));
