import type { V2Services } from "../../api/v2/Services.ts";
import { LiveChains, type SentListener } from "../../chain/LiveChains.ts";
import type { NetworkModules, OpenNetwork } from "./OpenNetwork.ts";

/** The chain of a network as it is now, shared by all parts of its service. */
export interface LiveParts {
  readonly services: V2Services & { readonly chains: LiveChains };
  /** Who is told of every message that a server took; parts add themselves. */
  readonly onSent: Set<SentListener>;
}

/** Makes the chain of a network one that requests can be answered from. */
export function openLive(network: OpenNetwork, { executor, clock, config }: NetworkModules): LiveParts {
  const { source, zeroState, isLive, proofs } = network;
  const onSent = new Set<SentListener>();
  const tellAll: SentListener = (...sent) => {
    for (const tell of onSent) tell(...sent);
  };
  const chains = new LiveChains({ source, executor, clock, zeroState, onSent: tellAll });
  return { services: { isLive, proofs, chains, stdExitCode: config.stdExitCode }, onSent };
}
