import type { Address } from "../../../model/Address.ts";
import { declareFamily, naming } from "../../engine/declareFamily.ts";
import { joinDeposits } from "../exchange/joinDeposits.ts";
import { dedustSwapMatcher } from "./actions.ts";
import {
  dedustFactory,
  dedustLiquidityDeposit,
  dedustPoolInterface,
  dedustVault,
  x1000AffiliateAccount,
  x1000AffiliateProgram,
  x1000WalletV1,
} from "./interfaces.ts";
import {
  dedustDepositMatcher,
  dedustLiquidity,
  dedustPartialMatcher,
  dedustWithdrawMatcher,
  joinDedustSides,
} from "./liquidity.ts";
import { type DedustSwapStep, dedustBodies, dedustSwap, dedustSwapForwardPayload } from "./messages.ts";
import { dedustPool } from "./pool.ts";

/** The pools of a swap in the order of its steps. */
function listPools(first: DedustSwapStep): Address[] {
  const pools: (Address | undefined)[] = [];
  for (let step: DedustSwapStep | undefined = first; step !== undefined; step = step.params.next)
    pools.push(step.poolAddr);
  return pools.filter((pool) => pool !== undefined);
}

const deposits = { ...dedustLiquidity, joinSides: joinDedustSides };

/** The DeDust exchange: vaults, pools and deposits. */
export const family = declareFamily({
  bodies: dedustBodies,
  interfaces: [
    dedustFactory,
    dedustLiquidityDeposit,
    dedustPoolInterface,
    dedustVault,
    x1000WalletV1,
    x1000AffiliateAccount,
    x1000AffiliateProgram,
  ],
  entities: [dedustPool],
  matchers: {
    deposit: dedustDepositMatcher,
    partialDeposit: dedustPartialMatcher,
    withdraw: dedustWithdrawMatcher,
    swap: dedustSwapMatcher,
  },
  regroup: (nodes) => joinDeposits(nodes, deposits),
  types: { v1: ["jetton_swap", "dex_deposit_liquidity", "dex_withdraw_liquidity"] },
  facts: {
    inBodies: [naming(dedustSwap, ({ step }) => listPools(step))],
    inPayloads: [naming(dedustSwapForwardPayload, ({ step }) => listPools(step))],
  },
});
