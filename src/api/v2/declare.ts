import type { LiveChains } from "../../chain/LiveChains.ts";
import type { FindSourceMap } from "../../contracts/abi/source/SourceMap.ts";
import { type CacheRule, provableEndpointsOver } from "../declare/endpoint.ts";

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
  /** Lines of the sources that are kept with ABIs. */
  readonly findSourceMap?: FindSourceMap | undefined;
}

/** Declares an endpoint of v2. */
export const endpoint = provableEndpointsOver<V2Services>();

/** What is read at a given block is immutable; at the newest one it is valid until the next block. */
export function untilNext({ seqno }: { readonly seqno: number | undefined }): CacheRule {
  return seqno === undefined ? "head" : "forever";
}
