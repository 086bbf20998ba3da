import type { Endpoint } from "../endpoint.ts";
import * as accounts from "./accounts.ts";
import * as blockchain from "./blockchain.ts";
import * as decode from "./decode.ts";
import type { V3Services } from "./Services.ts";
import * as stats from "./stats.ts";

/** The tag files of v3, in the order in which the documentation shows them. A tag file exports endpoints only. */
const tagFiles = [accounts, blockchain, stats, decode] as const;

type EndpointsOf<File> = File extends unknown ? File[keyof File] : never;

/** Every endpoint of v3, as declared. */
export type V3Endpoint = EndpointsOf<(typeof tagFiles)[number]>;

/** Every endpoint of v3. */
export const v3Endpoints: readonly Endpoint<V3Services>[] = tagFiles.flatMap((file) => Object.values(file));
