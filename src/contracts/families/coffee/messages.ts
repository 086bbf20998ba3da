import { accountAddress } from "../../kit/addressFields.ts";
import {
  type Body,
  type BodyField,
  bareOpcode,
  bareOpcodes,
  bodies,
  choice,
  named,
  record,
} from "../../kit/declare.ts";
import {
  bool,
  cellRef,
  coins,
  lazy,
  maybe,
  maybeRef,
  maybeRefTo,
  queryId,
  ref,
  uint8,
  uint16,
  uint32,
  uint64,
  uint256,
} from "../../kit/fields.ts";
import { queryBodies, queryBody } from "../../kit/queryBody.ts";

// native$00; jetton$01 chain:uint8 hash:uint256; extra$10 id:uint32
export const coffeeAsset = choice({
  native: ["$00", {}],
  jetton: ["$01", { chain: uint8, hash: uint256 }],
  extra: ["$10", { id: uint32 }],
});

const notificationSingle = record("notification_data_single", {
  receiver: accountAddress,
  fwdGas: coins,
  payload: cellRef,
});
const notification = record("notification_data", {
  onSuccess: maybeRefTo(notificationSingle),
  onFailure: maybeRefTo(notificationSingle),
});

/** The remaining steps of a swap. */
export interface CoffeeSwapStep {
  readonly poolAddressHash: bigint;
  readonly minOutputAmount: bigint;
  readonly next: CoffeeSwapStep | undefined;
}
const swapStep: BodyField<CoffeeSwapStep> = record("swap_step_params", {
  poolAddressHash: uint256,
  minOutputAmount: coins,
  next: maybeRefTo(lazy((): BodyField<CoffeeSwapStep> => swapStep)),
});
const swapParams = ref(
  record("swap_params", {
    deadline: uint32,
    recipient: accountAddress,
    referral: accountAddress,
    notificationData: maybeRefTo(notification),
  }),
);

const reserves = record("pool_reserves", { inputReserve: coins, outputReserve: coins });

export const coffeePoolParams = record("pool_params", {
  first: coffeeAsset,
  second: coffeeAsset,
  amm: choice({ constant_product: ["$000", {}], curve_fi_stable: ["$001", {}] }),
  ammSettings: maybeRef,
});
const creationParams = record("pool_creation_params", {
  public: record("public_pool_creation_params", {
    recipient: accountAddress,
    useRecipientOnFailure: bool,
    notificationData: maybeRef,
  }),
  private: record("private_pool_creation_params", { isActive: bool, extraSettings: maybeRef }),
});
export const coffeeCreatePoolBody = queryBody("coffee_create_pool", 0xc0ffee02, {
  amount: coins,
  params: coffeePoolParams,
  creationParams,
});

const ratio = { denominator: uint16, minNominator: uint16, maxNominator: uint16 };
const condition = choice({
  none: ["$00", {}],
  lp_quantity: ["$01", { minLpAmount: coins }],
  reserves_ratio: ["$10", ratio],
  complex: ["$11", { minLpAmount: coins, ...ratio }],
});
const depositParams = record("deposit_liquidity_params_trimmed", {
  recipient: accountAddress,
  useRecipientOnFailure: bool,
  referral: accountAddress,
  deadline: uint32,
  condition,
  extraSettings: maybeRef,
  notificationData: maybeRefTo(notification),
});
const fullDepositParams = record("deposit_liquidity_params", {
  params: ref(depositParams),
  poolParams: ref(coffeePoolParams),
});
const poolChange = { queryId, amount1: coins, amount2: coins, lpAmount: coins, totalSupply: reserves, reserves };

export const coffeeCreateVaultBody = queryBody("coffee_create_vault", 0xc0ffee06, { asset: coffeeAsset });

const failure = { queryId, recipient: accountAddress };

export const coffeeStakingDepositBody = queryBody("coffee_staking_deposit", 0xf9471134, {
  sender: accountAddress,
  jettonAmount: coins,
  fromUser: accountAddress,
  periodId: uint32,
});

/** Without names in the public index. */
export const coffeeServiceFee = bareOpcode("coffee_service_fee", 0xc0ffeea0);
export const coffeeStakingWithdrawBody = bareOpcode("coffee_staking_withdraw", 0xcb03bfaf);

const queries = queryBodies({
  coffeeSwap: [0xc0ffee00, { amount: coins, step: named("", swapStep), params: swapParams }],
  coffeeSwapExtra: [0xc0ffee01, { step: named("", swapStep), params: swapParams }],
  coffeeSwapInternal: [
    0xc0ffee20,
    {
      step: named(
        "",
        record("swap_step_internal_params", {
          previousAmount: coins,
          previousAssetHint: maybe(coffeeAsset),
          minOutputAmount: coins,
          next: maybeRefTo(swapStep),
        }),
      ),
      params: swapParams,
      proof: cellRef,
    },
  ],
  coffeePayout: [0xc0ffee32],
  coffeePayoutInternal: [
    0xc0ffee21,
    { recipient: accountAddress, amount: coins, notificationData: maybeRefTo(notificationSingle), proof: maybeRef },
  ],
  coffeeNotification: [0xc0ffee36, { body: cellRef }],
  coffeeNotificationForwardPayload: [0xc0ffee36, { body: cellRef }],
  coffeeSwapSucceeded: [
    0xc0ffee30,
    { input: coffeeAsset, inputAmount: coins, outputAmount: coins, reserves, protocolFee: coins },
  ],
  coffeeSwapFailed: [0xc0ffee31, { input: coffeeAsset, inputAmount: coins, reserves: maybeRefTo(reserves) }],
  coffeeCreatePoolExtra: [0xc0ffee03, { params: coffeePoolParams, creationParams }],
  coffeeCreatePoolCreatorRequest: [
    0xc0ffee23,
    {
      amount: coins,
      params: coffeePoolParams,
      creationParams: ref(creationParams),
      sender: accountAddress,
      proof: cellRef,
    },
  ],
  coffeeCreatePoolCreatorInternal: [
    0xc0ffee24,
    { asset: coffeeAsset, amount: coins, creationParams: ref(creationParams) },
  ],
  coffeeCreatePoolRequest: [
    0xc0ffee25,
    {
      amount1: coins,
      amount2: coins,
      txInitiator: accountAddress,
      creationParams: ref(creationParams),
      proof: cellRef,
    },
  ],
  coffeeCreatePoolInternal: [
    0xc0ffee26,
    {
      amount1: coins,
      amount2: coins,
      txInitiator: accountAddress,
      recipient: accountAddress,
      useRecipientOnFailure: bool,
      extraSettings: maybeRef,
      notificationData: maybeRefTo(notification),
    },
  ],
  coffeeDepositLiquidity: [0xc0ffee04, { inputAmount: coins, params: fullDepositParams }],
  coffeeDepositLiquidityExtra: [0xc0ffee05, { params: fullDepositParams }],
  coffeeCreateLiquidityDepositoryRequest: [
    0xc0ffee27,
    { amount: coins, params: fullDepositParams, sender: accountAddress, proof: cellRef },
  ],
  coffeeCreateLiquidityDepositoryInternal: [
    0xc0ffee28,
    { asset: coffeeAsset, amount: coins, params: ref(depositParams) },
  ],
  coffeeDepositLiquidityInternal: [
    0xc0ffee29,
    { amount1: coins, amount2: coins, txInitiator: accountAddress, params: ref(depositParams), proof: cellRef },
  ],
  coffeeDepositLiquidityFailed: [
    0xc0ffee34,
    { amount1: coins, amount2: coins, minLpAmount: coins, totalSupply: coins, reserves },
  ],
  coffeeWithdrawDeposit: [0xc0ffee07],
  coffeeCreateVaultInternal: [0xc0ffee2a],
  coffeeMevProtectHoldFunds: [0x6bc79e7e],
  coffeeStakingInit: [
    0xbe5a7595,
    {
      owner: accountAddress,
      jettonData: ref(record("staking_asset_data", { wallet: accountAddress, amount: coins })),
      positionData: ref(
        record("staking_position_data", {
          userPoints: coins,
          additionalPoints: coins,
          startTimestamp: uint64,
          endTimestamp: uint64,
          periodId: uint32,
        }),
      ),
      periods: cellRef,
    },
  ],
  coffeeStakingClaimRewards: [
    0xb30c7310,
    {
      jettonWallet: accountAddress,
      jettonAmount: coins,
      receiver: accountAddress,
      payload: maybeRefTo(record("staking_forward_data", { gas: coins, payload: cellRef })),
    },
  ],
  coffeeStakingRewardsClaimed: [0xb30c7310, { jettonWallet: accountAddress, amount: coins, receiver: accountAddress }],
});
export const {
  coffeeSwap,
  coffeeSwapInternal,
  coffeePayout,
  coffeePayoutInternal,
  coffeeNotification,
  coffeeCreatePoolCreatorRequest,
  coffeeCreatePoolRequest,
  coffeeDepositLiquidity,
  coffeeDepositLiquidityInternal,
  coffeeMevProtectHoldFunds,
  coffeeStakingClaimRewards,
} = queries;

const plain = bodies({
  coffeeSwapForwardPayload: [0xc0ffee10, { step: named("", swapStep), params: swapParams }],
  coffeeDeploy: [0xc0ffee22, { code: cellRef, data: cellRef, action: maybeRef }],
  coffeeCreatePoolForwardPayload: [0xc0ffee11, { params: coffeePoolParams, creationParams }],
  coffeeDepositLiquidityForwardPayload: [0xc0ffee12, { params: fullDepositParams }],
  coffeeDepositLiquiditySucceeded: [0xc0ffee33, poolChange],
  coffeeWithdrawLiquiditySucceeded: [0xc0ffee35, poolChange],
  coffeeMevProtectFailedSwap: [0xee51ce51, failure],
  coffeeMevProtectFailedSwapForwardPayload: [0xee51ce51, failure],
  coffeeCrossDexFailure: [0xb902e61a, failure],
  coffeeCrossDexFailureForwardPayload: [0xb902e61a, failure],
  coffeeStakingLockForwardPayload: [0x0c0ffede, { periodId: uint32 }],
});
export const {
  coffeeDeploy,
  coffeeCreatePoolForwardPayload,
  coffeeDepositLiquiditySucceeded,
  coffeeWithdrawLiquiditySucceeded,
  coffeeMevProtectFailedSwap,
} = plain;

/** Known by name only. */
const bare = bareOpcodes({
  coffee_staking_update_rewards: 0x0a9577f0,
  coffee_staking_rewards_updated: 0x0a9577f0,
  coffee_cross_dex_resend: 0x200f9086,
  coffee_cross_dex_resend_forward_payload: 0x4ee9b106,
  coffee_activate_vault_internal: 0xc0ffee2c,
  coffee_withdraw_internal: 0xc0ffee2d,
  coffee_update_contract_internal: 0xc0ffee2e,
  coffee_update_admin: 0xc0ffee40,
  coffee_activate_vault: 0xc0ffee42,
  coffee_withdraw: 0xc0ffee43,
  coffee_update_code_cells: 0xc0ffee44,
  coffee_update_contract: 0xc0ffee45,
  coffee_update_withdrawer: 0xc0ffee46,
});

/** In the order they are tried. */
export const coffeeBodies: readonly Body<unknown>[] = [
  ...Object.values(queries),
  ...Object.values(plain),
  coffeeCreatePoolBody,
  coffeeCreateVaultBody,
  coffeeStakingDepositBody,
  ...bare,
];
