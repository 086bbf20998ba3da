import type { Config } from "../model/config/ConfigParams.ts";
import { GlobalVersion } from "../model/config/GlobalVersion.ts";
import { findParam } from "../model/config/readConfig.ts";

/** The newest rules the machine knows (configuration parameter 8); it runs later ones by these. */
export const supportedGlobalVersion = 15;

/** A network whose rules are newer than the machine's, so that outcomes may differ from the network's own. */
export interface VersionGap {
  readonly supported: number;
  readonly network: number;
}

/** The gap between the network and the machine, or `undefined` while there is none. */
export function findVersionGap(config: Config): VersionGap | undefined {
  const network = findParam(config, 8, GlobalVersion)?.version ?? 0;
  return network > supportedGlobalVersion ? { supported: supportedGlobalVersion, network } : undefined;
}
