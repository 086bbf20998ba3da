import type { PlanCases } from "../../kit/history/explain.ts";
import { actionPlans } from "./plans/actions.ts";
import { blockchainPlans } from "./plans/blockchain.ts";
import { tokenPlans } from "./plans/tokens.ts";

/** Every statement of the queries by the name of the function that makes it, in its different forms. */
export const planCases: PlanCases = {
  ...actionPlans,
  ...blockchainPlans,
  ...tokenPlans,
};
