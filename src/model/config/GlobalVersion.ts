import { tagged, uint32, uint64, type ValueOf } from "../../cell/codec.ts";

// capabilities#c4 version:uint32 capabilities:uint64 = GlobalVersion;
export const GlobalVersion = tagged("#c4", { version: uint32, capabilities: uint64 });
export type GlobalVersion = ValueOf<typeof GlobalVersion>;

/** What a network can do, one bit each. */
export const capability = {
  createStats: 2n,
  bounceBody: 4n,
  reportVersion: 8n,
  shortDequeue: 32n,
  queueSize: 64n,
  messageMetadata: 128n,
} as const;

export function hasCapability(version: GlobalVersion | undefined, bit: bigint): boolean {
  return ((version?.capabilities ?? 0n) & bit) !== 0n;
}
