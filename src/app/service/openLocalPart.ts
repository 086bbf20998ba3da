import { serveVersion } from "../../api/http/ServedVersion.ts";
import { contractLimits } from "../../api/http/server.ts";
import { makeLocalApi } from "../../api/local/localVersion.ts";
import type { OpenPart } from "./ServicePart.ts";

/** What a local network offers beside its chain; nothing for any other network. */
export const openLocalPart: OpenPart = async ({ local, headSeqno }, { config, clock, ...modules }) => {
  if (local === undefined) return { generations: [], checks: [], links: [], close: async () => {} };
  const { deadlineMs, maxWaiting, trustedProxies } = config;
  const served = serveVersion(
    makeLocalApi(config.localControls),
    // Nothing here is asked often enough to be kept.
    { ...contractLimits, deadlineMs, maxWaiting, trustedProxies, headBytes: 0, lastingBytes: 0 },
    { ...modules, clock, services: { ...local, clock }, head: headSeqno },
  );
  const links = [{ path: "/localnet/", text: "this local network: faucet, passing time, the demo set" }];
  const examples = (origin: string) => [
    `curl ${origin}/localnet/faucet -H 'Content-Type: application/json' -d '{"address": "…"}'`,
  ];
  return { generations: [served], checks: [], links, examples, close: async () => {} };
};
