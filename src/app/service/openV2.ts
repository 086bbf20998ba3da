import { serveGeneration } from "../../api/ServedGeneration.ts";
import { contractLimits } from "../../api/server.ts";
import { v2Generation } from "../../api/v2/envelope.ts";
import { LiveChains } from "../../chain/LiveChains.ts";
import type { OpenPart } from "./ServicePart.ts";

const megabyte = 1 << 20;

/** The chain as it is now, over any network. */
export const openV2: OpenPart = async (network, { config, executor, clock, ...modules }) => {
  const { source, zeroState, isLive, proofs, generation } = network;
  const chains = new LiveChains({ source, executor, clock, zeroState });
  const cacheBytes = (config.cacheMegabytes * megabyte) / 2;
  const { deadlineMs, maxWaiting, trustedProxies } = config;
  const served = serveGeneration(
    v2Generation,
    { ...contractLimits, deadlineMs, maxWaiting, trustedProxies, headBytes: cacheBytes, lastingBytes: cacheBytes },
    { ...modules, clock, services: { isLive, chains, proofs }, head: generation },
  );
  return {
    generations: [served],
    checks: [],
    links: [{ path: "/api/v2/", text: "v2: the chain as it is now" }],
    close: async () => {},
  };
};
