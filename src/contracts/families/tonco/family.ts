import { declareFamily, naming } from "../../engine/declareFamily.ts";
import { listSteps, toncoDeployPoolMatcher, toncoSwapMatcher } from "./actions.ts";
import { toncoFundOrder, toncoPayTo } from "./innerMessages.ts";
import { toncoPool, toncoRouter } from "./interfaces.ts";
import { toncoDepositMatcher, toncoWithdrawMatcher } from "./liquidity.ts";
import { toncoBodies, toncoPoolSwap } from "./messages.ts";

/** The TONCO exchange. */
export const family = declareFamily({
  bodies: toncoBodies,
  interfaces: [toncoPool, toncoRouter],
  matchers: {
    swap: toncoSwapMatcher,
    deposit: toncoDepositMatcher,
    deployPool: toncoDeployPoolMatcher,
    withdraw: toncoWithdrawMatcher,
  },
  types: { v1: ["jetton_swap", "dex_deposit_liquidity", "dex_withdraw_liquidity"], v2: ["tonco_deploy_pool"] },
  facts: {
    inBodies: [naming(toncoPayTo, ({ coins }) => [coins?.wallet0, coins?.wallet1])],
    inPayloads: [
      naming(toncoFundOrder, (order) => [order.otherJettonWallet]),
      { opcode: toncoPoolSwap.opcode, list: (cell) => listSteps(cell).map(({ wallet }) => wallet) },
    ],
  },
});
