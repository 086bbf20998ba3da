import type { Address } from "../../../model/Address.ts";
import { accountAddress, address } from "../../kit/addressFields.ts";
import { type Body, type BodyField, bareOpcodes, body, choice, group, named, record } from "../../kit/declare.ts";
import {
  bits256,
  bool,
  cellRef,
  coins,
  int,
  lazy,
  maybeRef,
  maybeRefTo,
  ref,
  refType,
  rest,
  uint16,
  uint32,
} from "../../kit/fields.ts";
import { queryBodies, queryBody } from "../../kit/queryBody.ts";

// native$0000; jetton$0001 workchain_id:int8 address:bits256
export const dedustAsset = choice({
  native: ["$0000", {}],
  jetton: ["$0001", { workchainId: int(8), address: bits256 }],
});

// pool_params#_ is_stable:Bool asset0:Asset asset1:Asset
export const dedustPoolParams = record("pool_params", { isStable: bool, asset0: dedustAsset, asset1: dedustAsset });

// vault#01; pool#02; liquidity_deposit#03; operator#04
const contractType = choice({
  vault: ["#01", {}],
  pool: ["#02", {}],
  liquidity_deposit: ["#03", {}],
  operator: ["#04", {}],
});

/** The proof of a contract of the exchange: the factory, its kind, and its parameters. */
function proofOf<T>(params: BodyField<T>) {
  return ref(group({ proof: record("proof", { factoryAddr: accountAddress, contractType, params }) }));
}
const vaultProof = proofOf(dedustAsset);
const poolProof = proofOf(dedustPoolParams);
const liquidityDepositProof = proofOf(refType(group({ ownerAddr: accountAddress, poolParams: dedustPoolParams })));

/** The remaining steps of a swap. */
export interface DedustSwapStepParams {
  /** Whether the limit applies to the incoming amount: given_out. */
  readonly kind: boolean;
  readonly limit: bigint;
  readonly next: DedustSwapStep | undefined;
}
export interface DedustSwapStep {
  readonly poolAddr: Address | undefined;
  readonly params: DedustSwapStepParams;
}

// step_params#_ kind:SwapKind limit:Coins next:(Maybe ^SwapStep)
const stepParams: BodyField<DedustSwapStepParams> = record("step_params", {
  kind: bool,
  limit: coins,
  next: maybeRefTo(lazy((): BodyField<DedustSwapStep> => step)),
});
const step: BodyField<DedustSwapStep> = record("step", { poolAddr: accountAddress, params: stepParams });

const swapParams = ref(
  record("swap_params", {
    deadline: group({ timestamp: uint32 }),
    recipientAddr: address,
    referralAddr: address,
    fulfillPayload: maybeRef,
    rejectPayload: maybeRef,
  }),
);

export const dedustSwapForwardPayload = body("dedust_swap", 0xe3a0d482, { step: named("", step), swapParams });

const targets = { minLpAmount: coins, asset0TargetBalance: coins, asset1TargetBalance: coins };
const answers = { fulfillPayload: maybeRef, rejectPayload: maybeRef };

export const dedustDepositLiquidityInline = queryBody("dedust_deposit_liquidity", 0xd55e4686, {
  amount: coins,
  poolParams: dedustPoolParams,
  ...targets,
  ...answers,
});
export const dedustDepositLiquidityForwardPayload = body("dedust_deposit_liquidity", 0x40e108d6, {
  poolParams: dedustPoolParams,
  ...targets,
  ...answers,
});

const queries = queryBodies({
  dedustSwap: [0xea06185d, { amount: coins, step: named("", step), swapParams }],
  dedustSwapExternal: [
    0x61ee542d,
    { proof: vaultProof, amount: coins, senderAddr: accountAddress, current: stepParams, swapParams },
  ],
  dedustSwapPeer: [
    0x72aca8aa,
    {
      proof: poolProof,
      asset: dedustAsset,
      amount: coins,
      senderAddr: accountAddress,
      current: stepParams,
      swapParams,
    },
  ],
  dedustPayOutFromPool: [0xad4eb6f5, { proof: poolProof, amount: coins, recipientAddr: address, payload: maybeRef }],
  dedustPayout: [0x474f86cf, { payload: maybeRef }],
  dedustDepositLiquidity: [
    0xd55e4686,
    { amount: coins, poolParams: dedustPoolParams, depositParams: ref(group(targets)), ...answers },
  ],
  dedustCreateLiquidityDeposit: [
    0xf04ec526,
    {
      proof: vaultProof,
      ownerAddr: accountAddress,
      poolParams: dedustPoolParams,
      deposit: named(
        "",
        ref(
          group({
            asset0TargetBalance: coins,
            asset1TargetBalance: coins,
            depositAsset: dedustAsset,
            depositAmount: coins,
            minLpAmount: coins,
          }),
        ),
      ),
      ...answers,
    },
  ],
  dedustDepositAsset: [0x54240fe5, { asset: dedustAsset, amount: coins }],
  dedustDepositLiquidityAll: [
    0xb56b9598,
    {
      proof: liquidityDepositProof,
      ownerAddr: accountAddress,
      minLpAmount: coins,
      assets: named(
        "",
        ref(group({ asset0: dedustAsset, asset0Amount: coins, asset1: dedustAsset, asset1Amount: coins })),
      ),
      ...answers,
    },
  ],
  dedustFulfillDeposit: [0xaae79256, { proof: poolProof, asset0Deposit: coins, asset1Deposit: coins }],
  dedustRejectDeposit: [0xe1a36cd4, { proof: poolProof, payload: maybeRef }],
  dedustPayOutFromDeposit: [0x6b0b787f, { proof: liquidityDepositProof, amount: coins, payload: maybeRef }],
  /** Sets the code of a contract of the exchange that was deployed without code. */
  dedustInstall: [
    0x9b3aa3fa,
    { blankCode: cellRef, codeVersion: group({ version: uint16 }), code: cellRef, extraParams: rest },
  ],
  dedustCancelDeposit: [0x166cedee, { payload: maybeRef }],
  dedustCreateVault: [0x21cfe02b, { asset: dedustAsset }],
  dedustCreateVolatilePool: [0x97d51f2f, { asset0: dedustAsset, asset1: dedustAsset }],
});
export const {
  dedustSwap,
  dedustSwapExternal,
  dedustSwapPeer,
  dedustPayout,
  dedustCreateLiquidityDeposit,
  dedustDepositAsset,
  dedustFulfillDeposit,
  dedustRejectDeposit,
  dedustPayOutFromDeposit,
} = queries;

/** What the factory accepts. */
export const dedustFactoryBodies = [queries.dedustCreateVault, queries.dedustCreateVolatilePool];

/** Known by name only. */
const bare = bareOpcodes({
  dedust_upgrade_operator: 0x0085f5a3,
  dedust_collect_fees: 0x0b429f52,
  dedust_cancel_ownership_transfer: 0x16cb7fc2,
  dedust_change_operator_user_addr: 0x1be6df93,
  dedust_upgrade_vault: 0x25d66911,
  dedust_reset_gas_v2: 0x26c63ab7,
  dedust_set_user_addr: 0x48e5a95d,
  dedust_upgrade_pool: 0x53e252ae,
  dedust_sync_pool_asset_quote: 0x59317e9a,
  dedust_sync_asset_quote: 0x6873c90c,
  dedust_provide_pool_state: 0x6e24728d,
  dedust_create_stable_pool: 0x7c40ac87,
  dedust_configure_start_time: 0x7ed7f6ce,
  dedust_sync_fee_collector_addr: 0x817462a9,
  dedust_destroy_non_ready_vault: 0x8a518d0d,
  dedust_install_liquidity_deposit_code: 0x99a84311,
  dedust_destroy_non_ready: 0x9d65482b,
  dedust_reset_gas: 0x9f3f0937,
  dedust_install_pool_code: 0xa3e45df1,
  dedust_configure_pool_asset_quote_provider: 0xa805f43e,
  dedust_take_vault_state: 0xa913dc0d,
  dedust_configure_quote_provider: 0xabb46b3d,
  dedust_deploy_operator: 0xb9d29997,
  dedust_install_vault_code: 0xbc3f26f6,
  dedust_take_pool_state: 0xbddd4954,
  dedust_configure_trade_fee: 0xc015297f,
  dedust_create_legacy_jetton_vault: 0xc9a5752d,
  dedust_transfer_ownership: 0xca61554e,
  dedust_accept_ownership: 0xdee60404,
  dedust_upgrade: 0xdf4a27aa,
  dedust_install_operator_code: 0xe505d21a,
  dedust_provide_vault_state: 0xe93405b9,
  dedust_configure_fee_collector_addr: 0xeda15922,
  dedust_forward: 0xf1989255,
});

/** In the order they are tried. */
export const dedustBodies: readonly Body<unknown>[] = [
  ...Object.values(queries),
  dedustSwapForwardPayload,
  dedustDepositLiquidityInline,
  dedustDepositLiquidityForwardPayload,
  ...bare,
];
