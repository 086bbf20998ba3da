import type { Clock } from "../../lib/clock.ts";
import type { LocalOffer } from "../../localnet/LocalOffer.ts";

/** What the endpoints of a local network are answered from. */
export interface LocalServices extends LocalOffer {
  readonly clock: Clock;
}
