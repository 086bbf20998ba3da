import { emulateApi } from "../../../api/emulate/envelope.ts";
import type { EmulateIndex, EmulateServices } from "../../../api/emulate/Services.ts";
import { type ServedVersion, serveVersion } from "../../../api/http/ServedVersion.ts";
import { contractLimits } from "../../../api/http/server/server.ts";
import { systemRandom } from "../../../lib/random.ts";
import { AbiFolder } from "../parts/AbiFolder.ts";
import type { OpenNetwork } from "../parts/OpenNetwork.ts";
import type { PartModules } from "../parts/ServicePart.ts";

/** Emulation over a network, with or without an index. */
export function serveEmulation(
  { headEpoch }: OpenNetwork,
  { config, live, clock, ...modules }: PartModules,
  index?: EmulateIndex,
  abis: EmulateServices["abis"] = new AbiFolder(config.data, clock),
): ServedVersion {
  const { deadlineMs, maxWaiting, trustedProxies } = config;
  return serveVersion(
    emulateApi,
    // Answers are not cached.
    { ...contractLimits, deadlineMs, maxWaiting, trustedProxies, headBytes: 0, lastingBytes: 0 },
    { ...modules, clock, services: { live: live.services, random: systemRandom, index, abis }, head: headEpoch },
  );
}

export const emulationLink = { path: "/api/emulate/v1/", text: "emulation: the result of a message before it is sent" };
