import { readTrustedStart } from "../../../lite/server/globalConfig.ts";
import { nameOfNetwork, startOf, type TrustedStart } from "../../../lite/server/knownNetworks.ts";
import { openStore } from "./openStore.ts";
import { TrustedBlocks } from "./TrustedBlocks.ts";
import type { TrustOptions } from "./TrustOptions.ts";

/** What a client trusts. */
export interface OpenTrust {
  readonly start: TrustedStart;
  readonly trusted: TrustedBlocks;
  /** How old the newest block may be, in seconds. */
  readonly maxAge: number;
}

const usualMaxAge = 60;

/** Opens the trust of a client; throws "lib/argument" for a config without its blocks. */
export function openTrust({ trust, store, maxAge = usualMaxAge }: TrustOptions): OpenTrust {
  const start = typeof trust === "string" ? startOf(trust) : readTrustedStart(trust.validator);
  return { start, trusted: new TrustedBlocks(start, openStore(store, nameOfNetwork(start.zeroState))), maxAge };
}
