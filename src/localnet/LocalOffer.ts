import type { Demo } from "./demo/Demo.ts";
import type { Faucet } from "./faucet.ts";

/** What a local network has for people that no other network has. */
export interface LocalOffer {
  readonly faucet: Pick<Faucet, "post">;
  /** Lets so many seconds pass on the chain; gives its time afterwards, in Unix seconds. */
  readonly advanceTime: (seconds: number) => number;
  /** Absent where it was not wanted. */
  readonly demo: Demo | undefined;
}
