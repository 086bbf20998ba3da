import type { LiveChains } from "../../chain/LiveChains.ts";
import type { Clock } from "../../lib/clock.ts";
import type { LocalOffer } from "../../localnet/offer/LocalOffer.ts";
import type { AbiServices } from "./abi/abi.ts";

/** The services of the local network's endpoints. */
export interface LocalServices extends LocalOffer, AbiServices {
  readonly clock: Clock;
  readonly chains: Pick<LiveChains, "open">;
}
