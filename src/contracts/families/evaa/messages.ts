import { accountAddress, address } from "../../kit/addressFields.ts";
import { type Body, type BodyField, bareOpcode, bareOpcodes, body, group } from "../../kit/declare.ts";
import { ContractError } from "../../kit/errors.ts";
import { cellRef, int64, uint64, uint256 } from "../../kit/fields.ts";
import { queryBody, quietQueryBody } from "../../kit/queryBody.ts";

// bool_true$11; bool_false$00
const wideBool: BodyField<boolean> = {
  load: (s) => s.loadInt(2) !== 0,
  show: (s) => {
    const bits = s.loadUint(2);
    if (bits !== 0 && bits !== 3) throw new ContractError("contracts/tag", `${bits} is neither of the two wide bits`);
    return { "@type": bits === 3 ? "bool_true" : "bool_false" };
  },
};
const assetId = group({ assetId: uint256 });
const amount = group({ amount: uint64 });
const principal = group({ principal: int64 });

const owned = { ownerAddress: accountAddress, assetId: uint256 };

/** The fields that all versions of the master have. */
export const evaaSupplyMaster = quietQueryBody("evaa_supply_master", 0x00000001, {
  includeUserCode: wideBool,
  supplyAmount: uint64,
  recipientAddress: accountAddress,
});
export const evaaSupplyUser = quietQueryBody("evaa_supply_user", 0x00000011, {
  assetId: uint256,
  supplyAmountCurrent: uint64,
});
export const evaaSupplySuccess = quietQueryBody("evaa_supply_success", 0x0000011a, {
  ...owned,
  amountSupplied: uint64,
});
export const evaaSupplyFail = quietQueryBody("evaa_supply_fail", 0x0000011f, { ...owned, amount: uint64 });
export const evaaSupplyExcessWithData = queryBody("evaa_supply_excess_with_data", 0x000011ae, {
  customResponsePayload: cellRef,
});
export const evaaSupplyExcess = queryBody("evaa_supply_excess", 0x000011ae);

export const evaaWithdrawMaster = quietQueryBody("evaa_withdraw_master", 0x00000002, {
  assetId: uint256,
  amount: uint64,
  recipientAddr: accountAddress,
});
export const evaaWithdrawUser = quietQueryBody("evaa_withdraw_user", 0x00000021, {
  assetId: uint256,
  withdrawAmountCurrent: uint64,
  sRate: uint64,
  bRate: uint64,
  recipientAddress: accountAddress,
});
export const evaaWithdrawCollateralized = quietQueryBody("evaa_withdraw_collateralized", 0x00000211, {
  ...owned,
  withdrawAmountCurrent: uint64,
});
export const evaaWithdrawSuccess = queryBody("evaa_withdraw_success", 0x0000211a, {
  assetId,
  principalAmount: principal,
  trackingSupplyIndex: group({ trackingIndex: uint64 }),
  trackingBorrowIndex: group({ trackingIndex: uint64 }),
});
export const evaaWithdrawFail = queryBody("evaa_withdraw_fail", 0x0000211f, { assetId, principalAmount: principal });
export const evaaWithdrawLockedExcess = queryBody("evaa_withdraw_locked_excess", 0x000021e6);
export const evaaWithdrawNotCollateralizedExcess = queryBody("evaa_withdraw_not_collateralized_excess", 0x000021e7, {});
export const evaaWithdrawMissingPricesExcess = queryBody("evaa_withdraw_missing_prices_excess", 0x000021e8);
export const evaaWithdrawExecutionCrashed = queryBody("evaa_withdraw_execution_crashed", 0x000021ec);
export const evaaWithdrawNoFundsExcess = queryBody("evaa_withdraw_no_funds_excess", 0x00211fe8);

export const evaaLiquidateMaster = quietQueryBody("evaa_liquidate_master", 0x00000003, {
  borrowerAddress: accountAddress,
  liquidatorAddress: address,
  collateralAssetId: uint256,
  minCollateralAmount: uint64,
  includeUserCode: wideBool,
  liquidateIncomingAmount: uint64,
});
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
  evaaSupplyMaster,
  evaaSupplyUser,
  evaaSupplySuccess,
  evaaSupplyFail,
  evaaSupplyExcessWithData,
  evaaSupplyExcess,
  evaaWithdrawMaster,
  evaaWithdrawUser,
  evaaWithdrawCollateralized,
  evaaWithdrawSuccess,
  evaaWithdrawFail,
  evaaWithdrawLockedExcess,
  evaaWithdrawNotCollateralizedExcess,
  evaaWithdrawMissingPricesExcess,
  evaaWithdrawExecutionCrashed,
  evaaWithdrawNoFundsExcess,
  evaaLiquidateMaster,
  evaaLiquidateUser,
  evaaLiquidateSatisfied,
  evaaLiquidateUnsatisfied,
  evaaLiquidateSuccess,
  evaaLiquidateFail,
  evaaLiquidateSuccessReport,
  ...bare,
];
