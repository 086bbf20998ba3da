import type { IncomingMessage, ServerResponse } from "node:http";
import { type ServedVersion, serveVersion } from "../../api/http/ServedVersion.ts";
import type { StreamRoutes } from "../../api/http/server/StreamRoutes.ts";
import { contractLimits } from "../../api/http/server/server.ts";
import { makeLocalApi } from "../../api/local/localVersion.ts";
import type { LocalOffer } from "../../localnet/offer/LocalOffer.ts";
import { type Address, formatAddress } from "../../model/Address.ts";
import { AbiFolder } from "./parts/AbiFolder.ts";
import type { OpenPart } from "./parts/ServicePart.ts";

/** The local endpoints of a local network; nothing for any other network. */
export const openLocalPart: OpenPart = async ({ local, headSeqno }, { config, clock, ...modules }) => {
  if (local === undefined) return { versions: [], checks: [], links: [], close: async () => {} };
  const { deadlineMs, maxWaiting, trustedProxies } = config;
  const served = serveVersion(
    makeLocalApi(config.localControls),
    // Answers are not cached.
    { ...contractLimits, deadlineMs, maxWaiting, trustedProxies, headBytes: 0, lastingBytes: 0 },
    {
      ...modules,
      clock,
      services: { ...local, clock, chains: modules.live.services.chains, abis: new AbiFolder(config.data, clock) },
      head: headSeqno,
    },
  );
  const links = [{ path: "/localnet/", text: "this local network: faucet, time travel, demo contracts" }];
  const friendly = (address: Address, isBounceable: boolean) =>
    formatAddress(address, { bounceable: isBounceable, testOnly: false }, "base64url");
  const examples = (origin: string) =>
    local.wallets.slice(0, 1).map(({ address }) => {
      const body = JSON.stringify({ address: friendly(address, false), amount: "5" });
      return `curl ${origin}/localnet/faucet -H 'Content-Type: application/json' -d '${body}'`;
    });
  const contracts = () => {
    const demo = local.demo();
    return demo?.contracts ?? [];
  };
  const accounts = () => [
    ...local.wallets.map(({ name, address, version }) => [`${name}, ${version}`, friendly(address, false)] as const),
    ...contracts().map(([name, at]) => [name, friendly(at, true)] as const),
  ];
  const streams = [exportRoutes(local, served)];
  return { versions: [served], streams, checks: [], links, examples, accounts, close: async () => {} };
};

/** Files are not answers of an API version: they are sent unchanged, behind the same checks. */
function exportRoutes({ snapshots }: LocalOffer, { handler }: ServedVersion): StreamRoutes {
  const find = (name: string) => ({ ...snapshots.getArchive(name), name: `${name}.chain` });
  const handle = (request: IncomingMessage, response: ServerResponse): void =>
    handler.file("exportSnapshot", request, response, find);
  return {
    routes: [{ method: "GET", path: "/localnet/exportSnapshot", handle }],
    upgrades: new Map(),
    close: async () => {},
  };
}
