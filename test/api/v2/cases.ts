import type { V2Endpoint } from "../../../src/api/v2/list.ts";
import type { Case } from "./cases/Case.ts";
import { chainCases } from "./cases/chain.ts";
import { configCases } from "./cases/config.ts";
import { replayCases } from "./cases/replay.ts";
import { runCases } from "./cases/runs.ts";
import { utilsCases } from "./cases/utils.ts";

/** The cases of every endpoint; a new endpoint without cases does not compile. */
export const cases: Readonly<Record<V2Endpoint["name"], readonly Case[]>> = {
  ...chainCases,
  ...configCases,
  ...replayCases,
  ...runCases,
  ...utilsCases,
};
