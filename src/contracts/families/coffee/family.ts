import { declareFamily } from "../../engine/declareFamily.ts";
import { coffeeSwapMatcher } from "./actions.ts";
import {
  coffeeCrossDex,
  coffeeFactory,
  coffeeMevProtector,
  coffeePool,
  coffeeStakingItem,
  coffeeStakingMaster,
  coffeeStakingVault,
  coffeeVault,
  coffeeVaultExtra,
  coffeeVaultJetton,
  coffeeVaultNative,
  jettonWalletCoffeeLp,
} from "./interfaces.ts";
import { coffeeDepositMatcher, coffeeWithdrawMatcher } from "./liquidity.ts";
import { coffeeBodies } from "./messages.ts";
import { coffeeFailedSwapMatcher, coffeeHoldFundsMatcher } from "./mev.ts";
import { coffeePoolCreatorMatcher, coffeePoolMatcher, coffeeVaultMatcher } from "./pools.ts";
import { coffeeStakingClaimMatcher, coffeeStakingDepositMatcher, coffeeStakingWithdrawMatcher } from "./staking.ts";

const types = [
  "coffee_create_pool",
  "coffee_create_pool_creator",
  "coffee_create_vault",
  "coffee_staking_deposit",
  "coffee_staking_withdraw",
  "coffee_staking_claim_rewards",
  "coffee_mev_protect_hold_funds",
];

/** The Swap.coffee exchange: vaults, pools, staking and MEV protection. */
export const family = declareFamily({
  bodies: coffeeBodies,
  interfaces: [
    coffeeMevProtector,
    coffeeCrossDex,
    coffeeStakingMaster,
    coffeeStakingVault,
    coffeeStakingItem,
    coffeeFactory,
    coffeeVault,
    coffeeVaultNative,
    coffeeVaultJetton,
    coffeeVaultExtra,
    coffeePool,
    jettonWalletCoffeeLp,
  ],
  matchers: {
    deposit: coffeeDepositMatcher,
    swap: coffeeSwapMatcher,
    withdraw: coffeeWithdrawMatcher,
    createVault: coffeeVaultMatcher,
    createPoolCreator: coffeePoolCreatorMatcher,
    createPool: coffeePoolMatcher,
    holdFunds: coffeeHoldFundsMatcher,
    failedSwap: coffeeFailedSwapMatcher,
    stakingDeposit: coffeeStakingDepositMatcher,
    stakingWithdraw: coffeeStakingWithdrawMatcher,
    stakingClaim: coffeeStakingClaimMatcher,
  },
  types: {
    v1: ["jetton_swap", "dex_deposit_liquidity", "dex_withdraw_liquidity"],
    v2: [...types, "coffee_mev_protect_failed_swap"],
    sets: { coffee: types },
  },
});
