import type { LiveChains } from "../../chain/LiveChains.ts";

/** The services of v2. */
export interface V2Services {
  /** Whether at least one lite server can be used. */
  readonly isLive: () => boolean;
  /** The current chain, opened for each request. */
  readonly chains: Pick<LiveChains, "open">;
  /** `trust` if heads are trusted without proof; defaults to checked. */
  readonly proofs?: "check" | "trust";
  /** How `runGetMethodStd` answers an exit code other than 0 and 1: as an error (the default) or as a result. */
  readonly stdExitCode?: "error" | "result";
}
