import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { kind } from "../../engine/kind.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { cellOf, destinationOf, known, messageOf } from "../../engine/messageParts.ts";
import { isCall } from "../../engine/nodes.ts";
import { built, call, firstOf, where } from "../../engine/pattern.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { address } from "../../kit/addressFields.ts";
import { jettonTransfer } from "../jetton/actions.ts";
import { formatId, isOrder, remark } from "./actions.ts";
import { findAsset } from "./assets.ts";
import {
  evaaLiquidateFail,
  evaaLiquidateMaster,
  evaaLiquidateSatisfied,
  evaaLiquidateSuccess,
  evaaLiquidateSuccessReport,
  evaaLiquidateUnsatisfied,
  evaaLiquidateUser,
} from "./messages.ts";
import { userCall } from "./userMessage.ts";

interface Liquidation {
  readonly liquidator: Address;
  readonly borrower: Address;
  readonly borrowerContract: Address | undefined;
  readonly failReason: string | undefined;
  readonly debtAmount: bigint;
  readonly collateral: Address | undefined;
  readonly isKnownAsset: boolean;
  readonly collateralId: bigint;
  readonly collateralAmount: bigint;
}

export const evaaLiquidate = kind<Liquidation>({
  type: "evaa_liquidate",
  showsParts: true,
  parties: (l) => ({ source: l.liquidator, destination: l.borrower, destinationSecondary: l.borrowerContract }),
  details: (f) => ({
    fail_reason: f.text("Reason of the failure; null on success.", (l) => l.failReason),
    debt_amount: f.amount("Debt that is paid, in the smallest units of the asset.", (l) => l.debtAmount),
    source: f.address("Address of the sender.", (l) => l.liquidator),
    borrower: f.address("Address of the borrower whose debt is paid.", (l) => l.borrower),
    borrower_contract: f.address(
      "Address of the contract that keeps the borrower's account.",
      (l) => l.borrowerContract,
    ),
    collateral: f.amount("Asset that is received for the debt.", (l) => l.collateralId),
    asset_id: f.text("Asset, by its number in the protocol.", (l) => formatId(l.collateralId)),
    asset: f.address("Address of the jetton's master; null for coins.", (l) => l.collateral),
    is_known_asset: f.bool("Whether the asset is one that this program knows by name.", (l) => l.isKnownAsset),
    amount: f.amount("Amount in the smallest units of the asset.", (l) => l.collateralAmount),
  }),
});

const report = firstOf<TraceNode>([
  call([evaaLiquidateSuccessReport.opcode, evaaLiquidateFail.opcode]),
  built(jettonTransfer),
]);
const satisfied = call(evaaLiquidateSatisfied, {
  children: [userCall(evaaLiquidateSuccess.opcode, { child: remark }), report],
});
const unpaid = call(evaaLiquidateSatisfied, { children: [call(evaaLiquidateFail), report] });
const unsatisfied = call(evaaLiquidateUnsatisfied, { child: report });
const onUser = userCall(evaaLiquidateUser.opcode, { child: firstOf([satisfied, unpaid, unsatisfied]) });
const sentBack = firstOf<TraceNode>([where((node) => isCall(node) && messageOf(node).bounced), built(jettonTransfer)]);
const liquidated = where(isOrder(evaaLiquidateMaster.opcode), { child: firstOf<TraceNode>([onUser, sentBack]) });

export const evaaLiquidateMatcher = matcher({
  name: "evaa_liquidate",
  pattern: liquidated,
  build: (match, facts) => {
    const order = readOrder(match.get(liquidated));
    const user = match.find(onUser);
    const borrowerContract = user === undefined ? undefined : destinationOf(user);
    const success = match.find(satisfied);
    if (success !== undefined) {
      const outcome = readSatisfied(success);
      const data = { ...order, ...outcome, borrowerContract, failReason: undefined };
      return made(evaaLiquidate, withAsset(data, facts));
    }
    const refusal = match.find(unsatisfied);
    const failReason =
      user === undefined
        ? "immediate_rejection"
        : refusal === undefined
          ? "master_not_enough_liquidity"
          : readReason(refusal);
    const data = { ...order, borrowerContract, failReason, collateralAmount: 0n };
    return made(evaaLiquidate, withAsset(data, facts), { failed: true });
  },
});

function withAsset(data: Omit<Liquidation, "collateral" | "isKnownAsset">, facts: Facts): Liquidation {
  const { isKnown, asset } = findAsset(data.collateralId, facts);
  return { ...data, collateral: asset, isKnownAsset: isKnown };
}

/** The order is in the message itself, or in the payload of the jettons that pay the debt. */
function readOrder(node: TraceNode) {
  const transfer = isKind(node, jettonTransfer) ? node.data : undefined;
  const body = known(evaaLiquidateMaster.find(transfer === undefined ? cellOf(node) : known(transfer.forwardPayload)));
  // Wrapped TON has no wallet; the service refuses it.
  if (transfer !== undefined) known(transfer.receiverWallet);
  return {
    liquidator: known(transfer === undefined ? messageOf(node).source : transfer.sender),
    borrower: known(body.borrowerAddress),
    collateralId: body.collateralAssetId,
    debtAmount: body.liquidateIncomingAmount,
  };
}

// query_id:uint64 owner:addr liquidator:addr transferred_asset_id:uint256 ^[ delta_loan:int64 liquidatable:uint64
//   gift:uint64 new_loan:int64 collateral_asset_id:uint256 delta_collateral:int64 collateral_reward:uint64 … ]
function readSatisfied(node: TraceNode) {
  const body = sliceOf(cellOf(node)).skip(96);
  const borrower = known(address.load(body));
  address.load(body);
  const more = sliceOf(body.skip(256).loadRef()).skip(64);
  const debtAmount = more.loadBigUint(64);
  const collateralId = more.skip(128).loadBigUint(256);
  const collateralAmount = more.skip(64).loadBigUint(64);
  // min_collateral:uint64 new_collateral:int64 forward:uint64 ^payload, where anything follows at all
  if (more.remainingBits > 0) more.skip(192).loadRef();
  return { borrower, debtAmount, collateralId, collateralAmount };
}

const reasons: ReadonlyMap<number, string> = new Map([
  [0xe001, "master_liquidating_too_much"],
  [0xe002, "user_withdraw_in_progress"],
  [0xe003, "not_liquidatable"],
  [0xe004, "execution_crashed"],
  [0xe005, "min_collateral_not_satisfied"],
  [0xe006, "user_not_enough_collateral"],
  [0xe007, "user_liquidating_too_much"],
  [0xe008, "master_not_enough_liquidity"],
  [0xe009, "liquidation_prices_missing"],
]);

// query_id:uint64 owner:addr liquidator:addr transferred_asset_id:uint256 ^[ transferred:uint64
//   collateral_asset_id:uint256 min_collateral:uint64 forward:uint64 ^payload error:uint32 … ]
function readReason(node: TraceNode): string {
  const body = sliceOf(cellOf(node)).skip(96);
  address.load(body);
  address.load(body);
  const more = sliceOf(body.skip(256).loadRef()).skip(64 + 256 + 64 + 64);
  more.loadRef();
  if (more.remainingBits < 32) return "parse_error";
  return reasons.get(more.loadUint(32)) ?? "unknown";
}
