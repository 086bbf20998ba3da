import { loadCell } from "../cell/codec.ts";
import { ShardStateUnsplit } from "../model/block/ShardState.ts";
import { findConfigParam } from "../model/config/ConfigParams.ts";
import type { ZeroState } from "./ledger/Ledger.ts";

/** Global versions that a new network can have. */
export const networkVersions = [13, 14, 15] as const;
export type NetworkVersion = (typeof networkVersions)[number];

/** That of the main network. */
export const defaultNetworkVersion: NetworkVersion = 14;

/** The global version that a chain begins with, as its zero state says. */
export function firstVersion(masterZero: ZeroState): number {
  const extra = loadCell(ShardStateUnsplit, masterZero.root).custom?.load();
  return (extra === undefined ? undefined : findConfigParam(extra.config, 8)?.version) ?? 0;
}
