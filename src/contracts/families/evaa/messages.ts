import { accountAddress, address } from "../../kit/addressFields.ts";
import { type Body, type BodyField, bareOpcode, bareOpcodes, body, group } from "../../kit/declare.ts";
import { ContractError } from "../../kit/errors.ts";
import { cellRef, int64, uint64, uint256 } from "../../kit/fields.ts";
import { queryBodies, quietQueryBodies } from "../../kit/queryBody.ts";

// bool_true$11; bool_false$00
const wideBool: BodyField<boolean> = {
  load: (s) => s.loadInt(2) !== 0,
  show: (s) => {
    const bits = s.loadUint(2);
    if (bits !== 0 && bits !== 3) throw new ContractError("contracts/tag", `${bits} is neither of the two wide bits`);
    return { "@type": bits === 3 ? "bool_true" : "bool_false" };
  },
  abi: "int2",
};
const assetId = group({ assetId: uint256 });
const amount = group({ amount: uint64 });
const principal = group({ principal: int64 });

const owned = { ownerAddress: accountAddress, assetId: uint256 };

const queries = queryBodies({
  evaaSupplyExcessWithData: [0x000011ae, { customResponsePayload: cellRef }],
  evaaSupplyExcess: [0x000011ae],
  evaaWithdrawSuccess: [
    0x0000211a,
    {
      assetId,
      principalAmount: principal,
      trackingSupplyIndex: group({ trackingIndex: uint64 }),
      trackingBorrowIndex: group({ trackingIndex: uint64 }),
    },
  ],
  evaaWithdrawFail: [0x0000211f, { assetId, principalAmount: principal }],
  evaaWithdrawLockedExcess: [0x000021e6],
  evaaWithdrawNotCollateralizedExcess: [0x000021e7],
  evaaWithdrawMissingPricesExcess: [0x000021e8],
  evaaWithdrawExecutionCrashed: [0x000021ec],
  evaaWithdrawNoFundsExcess: [0x00211fe8],
});
export const {
  evaaWithdrawSuccess,
  evaaWithdrawFail,
  evaaWithdrawLockedExcess,
  evaaWithdrawNotCollateralizedExcess,
  evaaWithdrawMissingPricesExcess,
  evaaWithdrawExecutionCrashed,
  evaaWithdrawNoFundsExcess,
} = queries;

const quiet = quietQueryBodies({
  /** The fields that all versions of the master have. */
  evaaSupplyMaster: [0x00000001, { includeUserCode: wideBool, supplyAmount: uint64, recipientAddress: accountAddress }],
  evaaSupplyUser: [0x00000011, { assetId: uint256, supplyAmountCurrent: uint64 }],
  evaaSupplySuccess: [0x0000011a, { ...owned, amountSupplied: uint64 }],
  evaaSupplyFail: [0x0000011f, { ...owned, amount: uint64 }],

  evaaWithdrawMaster: [0x00000002, { assetId: uint256, amount: uint64, recipientAddr: accountAddress }],
  evaaWithdrawUser: [
    0x00000021,
    { assetId: uint256, withdrawAmountCurrent: uint64, sRate: uint64, bRate: uint64, recipientAddress: accountAddress },
  ],
  evaaWithdrawCollateralized: [0x00000211, { ...owned, withdrawAmountCurrent: uint64 }],

  evaaLiquidateMaster: [
    0x00000003,
    {
      borrowerAddress: accountAddress,
      liquidatorAddress: address,
      collateralAssetId: uint256,
      minCollateralAmount: uint64,
      includeUserCode: wideBool,
      liquidateIncomingAmount: uint64,
    },
  ],
});
export const {
  evaaSupplyMaster,
  evaaSupplyUser,
  evaaSupplySuccess,
  evaaSupplyFail,
  evaaWithdrawMaster,
  evaaWithdrawUser,
  evaaWithdrawCollateralized,
  evaaLiquidateMaster,
} = quiet;
export const evaaLiquidateUser = bareOpcode("evaa_liquidate_user", 0x00000031);
export const evaaLiquidateSatisfied = bareOpcode("evaa_liquidate_satisfied", 0x00000311);
export const evaaLiquidateUnsatisfied = bareOpcode("evaa_liquidate_unsatisfied", 0x0000031f);
export const evaaLiquidateSuccess = bareOpcode("evaa_liquidate_success", 0x0000311a);
export const evaaLiquidateFail = bareOpcode("evaa_liquidate_fail", 0x0000311f);
export const evaaLiquidateSuccessReport = body("evaa_liquidate_success_report", 0x0000311d, {
  transferredAssetId: assetId,
  transferredAmount: amount,
  collateralAssetId: assetId,
  collateralReward: amount,
  customResponsePayload: cellRef,
});

/** Known by name only. */
const bare = bareOpcodes({
  evaa_idle_master: 0x00000008,
  evaa_revert_call: 0x0000000f,
  evaa_supply_withdraw_user: 0x00000041,
  evaa_supply_withdraw_master_jetton: 0x00000042,
  evaa_idle_user: 0x00000081,
  evaa_init_master: 0x000000a1,
  evaa_claim_asset_reserves: 0x000000a2,
  evaa_init_upgrade: 0x000000c1,
  evaa_submit_upgrade: 0x000000c2,
  evaa_cancel_upgrade: 0x000000c3,
  evaa_force_enable: 0x000000e1,
  evaa_update_config: 0x000000e4,
  evaa_disable_contract_for_upgrade: 0x000000e8,
  evaa_force_disable_contract: 0x000000e9,
  evaa_supply_withdraw_master_without_prices: 0x00000401,
  evaa_supply_withdraw_satisfied: 0x00000411,
  evaa_supply_withdraw_unsatisfied: 0x0000041f,
  evaa_idle_excess: 0x0000081e,
  evaa_add_new_token: 0x00000a32,
  evaa_add_to_reserve: 0x00000a99,
  evaa_debug_principals_edit_user: 0x00000d21,
  evaa_withdraw_success_excess_with_data: 0x0000211a,
  evaa_supply_withdraw_success: 0x0000411a,
  evaa_supply_withdraw_fail: 0x0000411f,
  evaa_get_store_request: 0x00009998,
  evaa_get_store_response: 0x00009999,
  evaa_do_data_checks: 0x0000d001,
  evaa_supply_fail_with_data: 0x00011ae1,
  evaa_user_execute_action: 0x107e0000,
});

/** In the order they are tried. */
export const evaaBodies: readonly Body<unknown>[] = [
  ...Object.values(quiet),
  ...Object.values(queries),
  evaaLiquidateUser,
  evaaLiquidateSatisfied,
  evaaLiquidateUnsatisfied,
  evaaLiquidateSuccess,
  evaaLiquidateFail,
  evaaLiquidateSuccessReport,
  ...bare,
];
