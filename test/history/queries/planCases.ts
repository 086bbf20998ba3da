import type { PlanCases } from "../../kit/history/explain.ts";
import { actionPlans } from "./plans/actions.ts";
import { blockchainPlans } from "./plans/blockchain.ts";
import { tokenPlans } from "./plans/tokens.ts";

/** All statements of the queries in their variants, by the function that makes them. */
export const planCases: PlanCases = {
  ...actionPlans,
  ...blockchainPlans,
  ...tokenPlans,
};
