import { serveVersion } from "../../api/http/ServedVersion.ts";
import { contractLimits } from "../../api/http/server/server.ts";
import { v2Api } from "../../api/v2/envelope.ts";
import type { OpenPart } from "./parts/ServicePart.ts";

const megabyte = 1 << 20;

/** v2: the current chain. */
export const openV2: OpenPart = async ({ headEpoch }, { config, live, clock, ...modules }) => {
  const cacheBytes = (config.cacheMegabytes * megabyte) / 2;
  const { deadlineMs, maxWaiting, maxWaitingPerCaller, trustedProxies } = config;
  const served = serveVersion(
    v2Api,
    {
      ...contractLimits,
      ...{ deadlineMs, maxWaiting, maxWaitingPerCaller, trustedProxies },
      ...{ headBytes: cacheBytes, lastingBytes: cacheBytes },
    },
    { ...modules, clock, services: live.services, head: headEpoch },
  );
  return {
    versions: [served],
    checks: [],
    links: [{ path: "/api/v2/", text: "v2: the current chain state, with a page to try every operation" }],
    examples: (origin) => [
      `curl '${origin}/api/v2/getMasterchainInfo'`,
      `curl ${origin}/api/v2/jsonRPC -H 'Content-Type: application/json' \\\n  -d '{"id": 1, "jsonrpc": "2.0", "method": "getMasterchainInfo", "params": {}}'`,
    ],
    close: async () => {},
  };
};
