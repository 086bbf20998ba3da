import type { LiveChains } from "../../chain/LiveChains.ts";
import type { Clock } from "../../lib/clock.ts";
import type { LocalOffer } from "../../localnet/offer/LocalOffer.ts";

/** The services of the local network's endpoints. */
export interface LocalServices extends LocalOffer {
  readonly clock: Clock;
  readonly chains: Pick<LiveChains, "open">;
}
