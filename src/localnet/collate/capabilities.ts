import { type Config, findConfigParam } from "../../model/config/ConfigParams.ts";

/** The capabilities of the network in parameter 8, one bit each. */
export const capability = {
  createStats: 2n,
  bounceBody: 4n,
  reportVersion: 8n,
  shortDequeue: 32n,
  queueSize: 64n,
  messageMetadata: 128n,
} as const;

export function hasCapability(config: Config, bit: bigint): boolean {
  return ((findConfigParam(config, 8)?.capabilities ?? 0n) & bit) !== 0n;
}
