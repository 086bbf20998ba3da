import type { Address } from "../../../model/Address.ts";
import type { DedustSwapStep } from "./messages.ts";

/** The pools of a swap in the order of its steps. */
export function listPools(first: DedustSwapStep): Address[] {
  const pools: (Address | undefined)[] = [];
  for (let step: DedustSwapStep | undefined = first; step !== undefined; step = step.params.next)
    pools.push(step.poolAddr);
  return pools.filter((pool) => pool !== undefined);
}
