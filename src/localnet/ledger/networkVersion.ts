import { loadCell } from "../../cell/codec.ts";
import { ShardStateUnsplit } from "../../model/block/ShardState.ts";
import { findConfigParam } from "../../model/config/ConfigParams.ts";
import type { ZeroState } from "./Ledger.ts";

/** Global versions that a new network can have. */
export const networkVersions = [13, 14, 15] as const;
export type NetworkVersion = (typeof networkVersions)[number];

/** The version of mainnet. */
export const defaultNetworkVersion: NetworkVersion = 14;

/** The initial global version of a chain, from its zero state. */
export function firstVersion(masterZero: ZeroState): number {
  const extra = loadCell(ShardStateUnsplit, masterZero.root).custom?.load();
  return (extra === undefined ? undefined : findConfigParam(extra.config, 8)?.version) ?? 0;
}
