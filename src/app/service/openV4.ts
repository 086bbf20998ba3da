import { serveVersion } from "../../api/http/ServedVersion.ts";
import { contractLimits } from "../../api/http/server/server.ts";
import { v3MaxUrlBytes } from "../../api/v3/envelope.ts";
import { BlockWatch } from "../../api/v4/BlockWatch.ts";
import { v4Api } from "../../api/v4/envelope.ts";
import type { OpenPart } from "./parts/ServicePart.ts";

const megabyte = 1 << 20;

/** v4: the chain at a chosen block. */
export const openV4: OpenPart = async ({ headEpoch, local }, { config, live, clock, ...modules }) => {
  const cacheBytes = (config.cacheMegabytes * megabyte) / 8;
  const { deadlineMs, maxWaiting, maxWaitingPerCaller, trustedProxies } = config;
  const served = serveVersion(
    v4Api,
    {
      ...{ ...contractLimits, maxUrlBytes: v3MaxUrlBytes, deadlineMs, maxWaiting, maxWaitingPerCaller, trustedProxies },
      ...{ headBytes: cacheBytes, lastingBytes: cacheBytes },
    },
    { ...modules, clock, services: { ...live.services, isResettable: local !== undefined }, head: headEpoch },
  );
  const { access, log } = modules;
  const shared = { access, log, clock, trustedProxies, limits: live.streamLimits };
  const watch = new BlockWatch(v4Api.base, { ...shared, chains: live.services.chains });
  return {
    versions: [served],
    streams: [watch],
    checks: [],
    links: [{ path: "/api/v4/", text: "v4: the chain at a block, for TonClient4" }],
    close: async () => {},
  };
};
