import type { Cell } from "../../../cell/Cell.ts";
import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { between, kind } from "../../engine/kind.ts";
import { type Made, made, matcher } from "../../engine/matcher.ts";
import { bodyOf, destinationOf, known, noMatch, sourceOf } from "../../engine/messageParts.ts";
import { isCall, isTonTransfer } from "../../engine/nodes.ts";
import { built, call, firstOf, type Match, transfer, where } from "../../engine/pattern.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { partyAddress } from "../../kit/addressFields.ts";
import { type JettonTransfer, jettonTransfer, payloadOpcode } from "../jetton/actions.ts";
import { tonAssetId } from "./assets.ts";
import {
  evaaSupplyFail,
  evaaSupplyMaster,
  evaaSupplySuccess,
  evaaSupplyUser,
  evaaWithdrawCollateralized,
  evaaWithdrawExecutionCrashed,
  evaaWithdrawFail,
  evaaWithdrawLockedExcess,
  evaaWithdrawMaster,
  evaaWithdrawMissingPricesExcess,
  evaaWithdrawNoFundsExcess,
  evaaWithdrawNotCollateralizedExcess,
  evaaWithdrawSuccess,
  evaaWithdrawUser,
} from "./messages.ts";
import { userBodyOf, userCall } from "./userMessage.ts";

const comments: ReadonlySet<string> = new Set(["EVAA supply.", "EVAA withdraw.", "EVAA liquidation."]);
/** The remaining gas, returned with a comment of the protocol. */
export const remark = where((node) => isTonTransfer(node) && comments.has(node.data.comment ?? ""), {
  optional: true,
});

/** A message to the master with that opcode, or a jetton transfer whose payload begins with it. */
export function isOrder(opcode: number): (node: TraceNode) => boolean {
  return (node) => {
    if (isCall(node)) return node.data.opcode === opcode;
    return isKind(node, jettonTransfer) && payloadOpcode(node.data) === opcode;
  };
}

/** Asset ids are shown as hex without leading zeros. */
export function formatId(id: bigint): string {
  return `0x${id.toString(16)}`;
}

interface Supply {
  readonly sender: Address;
  readonly senderWallet: Address | undefined;
  readonly recipient: Address | undefined;
  readonly recipientWallet: Address | undefined;
  readonly recipientContract: Address;
  readonly master: Address;
  readonly masterWallet: Address | undefined;
  readonly asset: Address | undefined;
  readonly assetId: bigint;
  readonly isTon: boolean;
  readonly amount: bigint;
}

export const evaaSupply = kind<Supply>({
  type: "evaa_supply",
  showsParts: true,
  parties: (s) => between([s.sender, s.senderWallet], [s.recipient, s.recipientContract]),
  details: (f) => ({
    sender_jetton_wallet: f.none("Address of the jetton wallet of the sender."),
    recipient_jetton_wallet: f.address("Address of the jetton wallet of the receiver.", (s) => s.recipientWallet),
    master_jetton_wallet: f.address("Address of the jetton wallet of the protocol.", (s) => s.masterWallet),
    master: f.address("Address of the master contract of the protocol.", (s) => s.master),
    asset_id: f.text("Asset, by its number in the protocol.", (s) => formatId(s.assetId)),
    is_ton: f.bool("Whether coins are supplied, not jettons.", (s) => s.isTon),
    source: f.address("Address of the sender.", (s) => s.sender),
    source_wallet: f.address("Address of the jetton wallet of the sender.", (s) => s.senderWallet),
    recipient: f.address("Address of the receiver.", (s) => s.recipient),
    recipient_contract: f.address(
      "Address of the contract that keeps the receiver's account.",
      (s) => s.recipientContract,
    ),
    asset: f.address("Address of the jetton's master; null for coins.", (s) => s.asset),
    amount: f.amount("Amount in the smallest units of the asset.", (s) => s.amount),
  }),
});

const supplied = call(evaaSupplySuccess, { child: remark });
const returned = built(jettonTransfer);
const toUser = userCall(evaaSupplyUser.opcode, {
  child: firstOf<TraceNode>([supplied, call(evaaSupplyFail), returned]),
});
const supplyOrder = where(isOrder(evaaSupplyMaster.opcode), { child: toUser });

export const evaaSupplyMatcher = matcher({
  name: "evaa_supply",
  pattern: supplyOrder,
  build: (match) => {
    const order = match.get(supplyOrder);
    const user = match.get(toUser);
    const success = match.find(supplied);
    const given = isKind(order, jettonTransfer) ? readJettonSupply(order.data, match) : readTonSupply(order);
    const data: Supply = {
      ...given,
      recipientContract: destinationOf(user),
      assetId: known(evaaSupplyUser.find(userBodyOf(user))).assetId,
      amount: success === undefined ? given.amount : bodyOf(success, evaaSupplySuccess).amountSupplied,
    };
    return made(evaaSupply, data, { failed: success === undefined });
  },
});

type SupplyDetails = Omit<Supply, "recipientContract" | "assetId">;

function readTonSupply(order: TraceNode): SupplyDetails {
  if (!isCall(order)) throw noMatch("neither a message nor a transfer");
  const body = bodyOf(order, evaaSupplyMaster);
  return {
    sender: sourceOf(order),
    senderWallet: undefined,
    recipient: body.recipientAddress,
    recipientWallet: undefined,
    master: destinationOf(order),
    masterWallet: undefined,
    asset: undefined,
    isTon: true,
    amount: body.supplyAmount,
  };
}

function readJettonSupply(transferred: JettonTransfer, match: Match): SupplyDetails {
  const recipient = readRecipient(known(transferred.forwardPayload));
  const { sender, senderWallet, receiverWallet } = transferred;
  // When supplying for another account, only a return of the jettons shows that account's wallet.
  const back = match.list(returned).find(({ data }) => data.senderWallet === receiverWallet)?.data.receiverWallet;
  return {
    sender,
    senderWallet,
    recipient,
    recipientWallet: sender === recipient ? senderWallet : back,
    master: known(transferred.receiver),
    masterWallet: receiverWallet,
    asset: transferred.asset,
    isTon: false,
    amount: transferred.amount,
  };
}

// op:uint32 include_user_code:int2 recipient:addr, then nothing or forward_amount:uint64 ^payload
function readRecipient(payload: Cell): Address | undefined {
  const order = sliceOf(payload).skip(32 + 2);
  const recipient = partyAddress.load(order);
  if (order.remainingBits > 0) order.skip(64).loadRef();
  return recipient;
}

interface Withdrawal {
  readonly owner: Address;
  readonly ownerContract: Address;
  readonly recipient: Address | undefined;
  readonly recipientWallet: Address | undefined;
  readonly master: Address;
  readonly masterWallet: Address | undefined;
  readonly failReason: string | undefined;
  readonly asset: Address | undefined;
  readonly assetId: bigint;
  readonly amount: bigint;
}

export const evaaWithdraw = kind<Withdrawal>({
  type: "evaa_withdraw",
  showsParts: true,
  parties: (w) => ({ source: w.owner, destination: w.recipient, destinationSecondary: w.ownerContract }),
  details: (f) => ({
    recipient_jetton_wallet: f.address("Address of the jetton wallet of the receiver.", (w) => w.recipientWallet),
    master_jetton_wallet: f.address("Address of the jetton wallet of the protocol.", (w) => w.masterWallet),
    master: f.address("Address of the master contract of the protocol.", (w) => w.master),
    fail_reason: f.text("Reason of the failure; null on success.", (w) => w.failReason),
    asset_id: f.text("Asset, by its number in the protocol.", (w) => formatId(w.assetId)),
    source: f.address("Address of the sender.", (w) => w.owner),
    recipient: f.address("Address of the receiver.", (w) => w.recipient),
    owner_contract: f.address("Address of the contract that keeps the owner's account.", (w) => w.ownerContract),
    asset: f.address("Address of the jetton's master; null for coins.", (w) => w.asset),
    amount: f.amount("Amount in the smallest units of the asset.", (w) => w.amount),
  }),
});

const failReasons: ReadonlyMap<number, string> = new Map([
  [evaaWithdrawLockedExcess.opcode, "withdraw_locked_excess"],
  [evaaWithdrawNotCollateralizedExcess.opcode, "withdraw_not_collateralized_excess"],
  [evaaWithdrawMissingPricesExcess.opcode, "withdraw_missing_prices_excess"],
  [evaaWithdrawExecutionCrashed.opcode, "withdraw_execution_crashed"],
]);

const paidJetton = built(jettonTransfer);
const paidTon = call(evaaWithdrawSuccess, { child: remark });
const granted = call(evaaWithdrawCollateralized, {
  children: [firstOf<TraceNode>([paidJetton, paidTon]), userCall(evaaWithdrawSuccess.opcode, { child: transfer() })],
});
const unfunded = call(evaaWithdrawCollateralized, {
  child: userCall(evaaWithdrawFail.opcode, { child: call(evaaWithdrawNoFundsExcess) }),
});
const refused = call([...failReasons.keys()]);
const withdrawFromUser = userCall(evaaWithdrawUser.opcode, { child: firstOf([granted, unfunded, refused]) });
const withdrawn = call(evaaWithdrawMaster, { child: withdrawFromUser });

export const evaaWithdrawMatcher = matcher({
  name: "evaa_withdraw",
  pattern: withdrawn,
  build: (match) => {
    const node = match.get(withdrawn);
    const { assetId, amount, recipientAddr } = bodyOf(node, evaaWithdrawMaster);
    const order: Withdrawal = {
      owner: sourceOf(node),
      ownerContract: destinationOf(match.get(withdrawFromUser)),
      recipient: recipientAddr,
      recipientWallet: undefined,
      master: destinationOf(node),
      masterWallet: undefined,
      failReason: undefined,
      asset: undefined,
      assetId,
      amount,
    };
    const refusal = match.find(refused);
    const failReason = refusal === undefined ? "withdraw_no_funds_excess" : failReasons.get(refusal.data.opcode ?? -1);
    return match.find(granted) === undefined
      ? made(evaaWithdraw, { ...order, failReason }, { failed: true })
      : makeGranted(order, match);
  },
});

function makeGranted(order: Withdrawal, match: Match): Made | undefined {
  const amount = bodyOf(match.get(granted), evaaWithdrawCollateralized).withdrawAmountCurrent;
  if (order.assetId === tonAssetId)
    return match.find(paidTon) === undefined ? undefined : made(evaaWithdraw, { ...order, amount });
  const paid = match.find(paidJetton)?.data;
  if (paid === undefined) return undefined;
  const { asset, receiverWallet, senderWallet } = paid;
  const data = { ...order, amount, asset, recipientWallet: receiverWallet, masterWallet: senderWallet };
  return made(evaaWithdraw, data);
}
