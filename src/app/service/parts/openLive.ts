import { StreamLimits } from "../../../api/stream/StreamLimits.ts";
import type { V2Services } from "../../../api/v2/declare.ts";
import { LiveChains, type SendingListener, type SentListener } from "../../../chain/LiveChains.ts";
import { shareCellMemory } from "./cellMemory.ts";
import type { NetworkModules, OpenNetwork } from "./OpenNetwork.ts";

/** The current chain of a network, shared by all parts of its service. */
export interface LiveParts {
  readonly services: V2Services & { readonly chains: LiveChains };
  /** Listeners for accepted messages; parts add themselves. */
  readonly onSent: Set<SentListener>;
  /** Called with every status of a message that is sent. */
  readonly onSending: Set<SendingListener>;
  /** Open streams of each key, those of all parts together. */
  readonly streamLimits: StreamLimits;
}

/** Opens the chain of a network for requests. */
export function openLive(network: OpenNetwork, { executor, clock, config }: NetworkModules): LiveParts {
  const { source, zeroState, isLive, proofs, plan } = network;
  const onSent = new Set<SentListener>();
  const tellAll: SentListener = (...sent) => {
    for (const listener of onSent) listener(...sent);
  };
  const onSending = new Set<SendingListener>();
  const tellStatus: SendingListener = (...step) => {
    for (const tell of onSending) tell(...step);
  };
  const told = { onSent: tellAll, onSending: tellStatus };
  const chains = new LiveChains({
    source,
    executor,
    clock,
    zeroState,
    ...(plan && { initBlock: plan.initBlock }),
    ...told,
    cellBytes: shareCellMemory(config, network.local === undefined ? "remote" : "local").live,
  });
  const { keyless = { connections: 2, addresses: 10, all: false }, ...plans } = config.streams;
  const streamLimits = new StreamLimits(new Map(Object.entries(plans)), keyless);
  return { services: { isLive, proofs, chains, stdExitCode: config.stdExitCode }, onSent, onSending, streamLimits };
}
