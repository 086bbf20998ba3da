import type { TableLayout } from "../../../src/history/store/Database.ts";
import type { PlanCases } from "../../kit/history/explain.ts";
import { actionPlans } from "./plans/actions.ts";
import { blockchainPlans } from "./plans/blockchain.ts";
import { tokenPlans } from "./plans/tokens.ts";
import { validatorPlans } from "./plans/validators.ts";

/** All statements of the queries in their variants, by the function that makes them. */
export function planCasesOf(layout?: TableLayout): PlanCases {
  return { ...actionPlans(layout), ...blockchainPlans(layout), ...tokenPlans(layout), ...validatorPlans() };
}

/** The same for tables on one machine. */
export const planCases: PlanCases = planCasesOf();
