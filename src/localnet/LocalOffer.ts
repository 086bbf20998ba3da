import type { Demo } from "./demo/Demo.ts";
import type { Faucet } from "./faucet.ts";

/** What a local network has for people that no other network has. */
export interface LocalOffer {
  readonly faucet: Pick<Faucet, "post">;
  /** Absent where it was not wanted. */
  readonly demo: Demo | undefined;
}
