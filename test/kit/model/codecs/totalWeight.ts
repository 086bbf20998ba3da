import type { ValidatorSet } from "../../../../src/model/config/ValidatorSet.ts";

/** The total weight of a set; summed for the old form, which does not store it. */
export function totalWeightOf(set: ValidatorSet): bigint {
  if (set.kind === "extended") return set.totalWeight;
  let sum = 0n;
  set.list.forEach((validator) => {
    sum += validator.weight;
  });
  return sum;
}
