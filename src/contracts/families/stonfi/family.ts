import { declareFamily, naming } from "../../engine/declareFamily.ts";
import { stonfiSwapMatcher } from "./actions.ts";
import {
  omnistonReferral,
  stonfiLpAccountV2,
  stonfiPool,
  stonfiPoolV2,
  stonfiRouter,
  stonfiRouterV2,
  stonfiVaultV2,
} from "./interfaces.ts";
import { stonfiDepositMatcher, stonfiWithdrawMatcher } from "./liquidity.ts";
import {
  ptonTonTransfer,
  stonfiBodies,
  stonfiPaymentRequest,
  stonfiPayToV2,
  stonfiSwap,
  stonfiSwapForwardPayload,
  stonfiSwapV2,
} from "./messages.ts";
import { listTargets, stonfiV2SwapMatcher } from "./v2.ts";

/** The STON.fi exchange, versions 1 and 2. */
export const family = declareFamily({
  bodies: stonfiBodies,
  interfaces: [
    stonfiPool,
    stonfiPoolV2,
    stonfiRouterV2,
    stonfiRouter,
    stonfiLpAccountV2,
    stonfiVaultV2,
    omnistonReferral,
  ],
  matchers: {
    swap: stonfiSwapMatcher,
    swapV2: stonfiV2SwapMatcher,
    deposit: stonfiDepositMatcher,
    withdraw: stonfiWithdrawMatcher,
  },
  types: { v1: ["jetton_swap", "dex_deposit_liquidity", "dex_withdraw_liquidity"] },
  facts: {
    inBodies: [
      naming(stonfiSwap, (swap) => [swap.senderAddress]),
      naming(stonfiPaymentRequest, ({ params }) => [params.token0Address, params.token1Address]),
      naming(stonfiSwapV2, listTargets),
      naming(stonfiPayToV2, ({ additional }) => [additional.token0Address, additional.token1Address]),
    ],
    inPayloads: [naming(stonfiSwapForwardPayload, (swap) => [swap.tokenWallet])],
    payloadOf: (body) => ptonTonTransfer.find(body)?.forwardPayload,
  },
});
