import { type Config, findConfigParam } from "../model/config/ConfigParams.ts";

/**
 * The newest rules the machine knows (configuration parameter 8); it runs later ones by these. It was built before
 * version 13 came out and lacks a few corners of it, which `test/corpus/tvm-vectors.test.ts` lists.
 */
export const supportedGlobalVersion = 13;

/** A network whose rules are newer than the machine's, so that outcomes may differ from the network's own. */
export interface VersionGap {
  readonly supported: number;
  readonly network: number;
}

/** The gap between the network and the machine, or `undefined` while there is none. */
export function findVersionGap(config: Config): VersionGap | undefined {
  const network = findConfigParam(config, 8)?.version ?? 0;
  return network > supportedGlobalVersion ? { supported: supportedGlobalVersion, network } : undefined;
}
