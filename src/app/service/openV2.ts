import { serveVersion } from "../../api/http/ServedVersion.ts";
import { contractLimits } from "../../api/http/server/server.ts";
import { v2Api } from "../../api/v2/envelope.ts";
import { AbiFolder } from "./parts/AbiFolder.ts";
import type { OpenPart } from "./parts/ServicePart.ts";
import { SourceCompiler } from "./parts/SourceCompiler.ts";
import { SourceMaps } from "./parts/SourceMaps.ts";

const megabyte = 1 << 20;

/** v2: the current chain. */
export const openV2: OpenPart = async ({ headEpoch }, { config, live, clock, ...modules }) => {
  const cacheBytes = (config.cacheMegabytes * megabyte) / 2;
  const { deadlineMs, maxWaiting, maxWaitingPerCaller, trustedProxies } = config;
  const compiler = new SourceCompiler(clock);
  const { find: findSourceMap } = new SourceMaps(new AbiFolder(config.data, clock), compiler, clock);
  const served = serveVersion(
    v2Api,
    {
      ...contractLimits,
      ...{ deadlineMs, maxWaiting, maxWaitingPerCaller, trustedProxies },
      ...{ headBytes: cacheBytes, lastingBytes: cacheBytes },
    },
    { ...modules, clock, services: { ...live.services, findSourceMap }, head: headEpoch },
  );
  return {
    versions: [served],
    checks: [],
    links: [{ path: "/api/v2/", text: "v2: the current chain state, with a page to try every operation" }],
    examples: (origin) => [
      `curl '${origin}/api/v2/getMasterchainInfo'`,
      `curl ${origin}/api/v2/jsonRPC -H 'Content-Type: application/json' \\\n  -d '{"id": 1, "jsonrpc": "2.0", "method": "getMasterchainInfo", "params": {}}'`,
    ],
    close: () => compiler.close(),
  };
};
