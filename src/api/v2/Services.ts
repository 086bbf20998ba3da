import type { LiveChains } from "../../chain/LiveChains.ts";

/** What the endpoints of v2 are answered from. */
export interface V2Services {
  /** Whether at least one lite server can be used. */
  readonly isLive: () => boolean;
  /** The current chain, opened for each request. */
  readonly chains: Pick<LiveChains, "open">;
  /** `trust` when heads are trusted without proof; checked when not said. */
  readonly proofs?: "check" | "trust";
  /** How `runGetMethodStd` answers an exit code other than 0 and 1: as an error (the default) or as a result. */
  readonly stdExitCode?: "error" | "result";
}
