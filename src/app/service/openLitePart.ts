import { serveVersion } from "../../api/http/ServedVersion.ts";
import { contractLimits } from "../../api/http/server/server.ts";
import { liteApi } from "../../api/lite/envelope.ts";
import type { OpenPart } from "./parts/ServicePart.ts";

const megabyte = 1 << 20;

/** Lite servers over HTTP. */
export const openLitePart: OpenPart = async ({ headEpoch }, { config, live, ...modules }) => {
  const cacheBytes = (config.cacheMegabytes * megabyte) / 8;
  const { deadlineMs, maxWaiting, maxWaitingPerCaller, trustedProxies } = config;
  const limits = { deadlineMs, maxWaiting, maxWaitingPerCaller, trustedProxies };
  const served = serveVersion(
    liteApi,
    { ...contractLimits, ...limits, headBytes: 0, lastingBytes: cacheBytes },
    { ...modules, services: live.services, head: headEpoch },
  );
  return {
    versions: [served],
    checks: [],
    links: [{ path: "/api/lite/v1/", text: "lite: queries to lite servers over HTTP" }],
    close: async () => {},
  };
};
