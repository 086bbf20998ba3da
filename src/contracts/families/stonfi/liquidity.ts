import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import { type Made, made, matcher } from "../../engine/matcher.ts";
import {
  bodyOf,
  cellOf,
  destinationOf,
  isReply,
  known,
  messageOf,
  noMatch,
  sourceOf,
} from "../../engine/messageParts.ts";
import { type CallNode, empty, isCall } from "../../engine/nodes.ts";
import { built, call, firstOf, type Match } from "../../engine/pattern.ts";
import { gather, isKind, type TraceNode } from "../../engine/TraceNode.ts";
import { partyAddress } from "../../kit/addressFields.ts";
import { type LiquidityDeposit, liquidityActions, type Side } from "../exchange/liquidity.ts";
import { findReceived, jettonBurn, jettonTransfer } from "../jetton/actions.ts";
import { jettonInternalTransfer, jettonNotify } from "../jetton/messages.ts";
import {
  ptonTonTransfer,
  stonfiAddLiquidityV2,
  stonfiBurnNotificationExtV2,
  stonfiCbAddLiquidityV2,
  stonfiPayToV2,
  stonfiProvideLpV2,
} from "./messages.ts";

export const stonfiLiquidity = liquidityActions("stonfi_v2", { deposit: "dex_deposit_liquidity" });

const wrapped = call(ptonTonTransfer);
const arrived = call(jettonNotify, { parent: wrapped });
const given = built(jettonTransfer);
/** Jettons that a wallet sends on beside the transfer that was recognised. */
const sentOn = call(jettonInternalTransfer, { parent: given });
const arrivedToo = call(jettonNotify, { parent: sentOn });
const minted = call(jettonInternalTransfer);
const refunded = call(stonfiAddLiquidityV2);
const added = call(stonfiAddLiquidityV2, {
  child: call(stonfiCbAddLiquidityV2, { optional: true, child: firstOf([minted, refunded]) }),
});
const provided = call(stonfiProvideLpV2, { parent: firstOf<TraceNode>([arrived, given, arrivedToo]), child: added });

/** One side of a deposit; the other side, sent by the same sender to the same pool, completes it. */
export const stonfiDepositMatcher = matcher({
  name: "stonfi_v2_provide_liquidity",
  pattern: provided,
  build: (match) => {
    const node = match.get(provided);
    // query_id:uint64 user:addr left:Coins right:Coins …
    const body = sliceOf(cellOf(node)).skip(96);
    const sender = partyAddress.load(body);
    const [left, right] = [body.loadCoins(), body.loadCoins()];
    const transfer = match.find(given)?.data;
    const mint = match.find(minted);
    const data: LiquidityDeposit = {
      sender,
      pool: destinationOf(node),
      first: {
        asset: transfer === undefined ? undefined : transfer.asset,
        amount: left > 0n ? left : right,
        wallet: transfer?.senderWallet,
      },
      lpMinted: mint === undefined ? undefined : known(findReceived(mint)).amount,
    };
    const failed = match.find(refunded) !== undefined;
    return withOthers(match, data, failed) ?? made(stonfiLiquidity.deposit, data, { failed });
  },
});

/**
 * The side that was recognised before, if there is one. Deposits that do not belong together, such as two that were
 * both refunded, are merged with the message that caused them, and only this one is shown, as in the service.
 */
function withOthers(match: Match, data: LiquidityDeposit, failed: boolean): Made | undefined {
  const start = match.find(given) ?? match.get(wrapped);
  const parent = start.previous;
  const others = (parent?.next ?? []).filter((node) => isKind(node, stonfiLiquidity.deposit));
  const other = others.at(-1);
  if (parent === undefined || other === undefined) return undefined;
  const replies = others.flatMap(({ next }) => next.filter(isReply));
  const { sender, pool, first, lpMinted } = other.data;
  if (sender !== data.sender || pool !== data.pool || lpMinted === data.lpMinted) {
    const also = [parent, ...others, ...replies, ...parent.next.filter(isReply)];
    return made(stonfiLiquidity.deposit, data, { failed, also });
  }
  // The excess of the common sender would come between the two sides, which the service cannot merge.
  if (parent.next.some(isReply)) throw noMatch("an excess beside the two sides of a deposit");
  const between = gather(parent, [other, start], empty);
  const joined: LiquidityDeposit = { ...data, second: first, lpMinted: data.lpMinted ?? lpMinted };
  return made(stonfiLiquidity.deposit, joined, { failed, also: [...others, ...replies, between] });
}

/** Withdraws one side of an incomplete deposit. */
const refundRequest = 0x132b9a2c;
const refundOrder = 0x0f98e2b8;

const burnt = built(jettonBurn);
const withdrawn = call(stonfiBurnNotificationExtV2, { parent: burnt });
const askedBack = call(refundRequest);
const takenBack = call(refundOrder, { parent: askedBack });
const paidOut = built(jettonTransfer);
const payment = call(stonfiPayToV2, { parent: firstOf([takenBack, withdrawn]), child: paidOut });

export const stonfiWithdrawMatcher = matcher({
  name: "stonfi_v2_withdraw_liquidity",
  pattern: payment,
  build: (match) => {
    const node = match.get(payment);
    const burn = match.find(burnt)?.data;
    const payouts = listPayouts(node);
    const first = payouts[0]?.side;
    // Of more than two, the last counts.
    const second = payouts.length > 1 ? payouts.at(-1)?.side : undefined;
    const data = {
      sender: burn === undefined ? messageOf(match.get(askedBack)).source : burn.owner,
      senderWallet: burn?.wallet,
      pool: sourceOf(node),
      first,
      second,
      lpBurnt: burn?.amount,
    };
    return made(stonfiLiquidity.withdrawal, data, { also: payouts.flatMap(({ nodes }) => nodes) });
  },
});

interface Payout {
  readonly side: Side;
  readonly nodes: readonly TraceNode[];
}

/** This payment and those beside it, each with its effects. */
function listPayouts(node: CallNode): Payout[] {
  const siblings = (node.previous?.next ?? [])
    .filter(isCall)
    .filter((other) => other !== node && other.data.opcode === stonfiPayToV2.opcode);
  return [node, ...siblings].flatMap((pay) => {
    const transfer = pay.next.find((next) => isKind(next, jettonTransfer));
    if (!isKind(transfer, jettonTransfer)) return [];
    const ton = transfer.next.filter(isCall).find(({ data }) => data.opcode === ptonTonTransfer.opcode);
    const transfers = pay.next.filter((next) => isKind(next, jettonTransfer));
    const nodes = [pay, ...transfers, ...(ton === undefined ? [] : [ton])];
    return [{ side: readSide(transfer.data.asset, transfer.data, ton), nodes }];
  });
}

function readSide(
  asset: Address | undefined,
  { amount, receiverWallet }: { readonly amount: bigint; readonly receiverWallet: Address | undefined },
  ton: CallNode | undefined,
): Side {
  if (ton === undefined) return { asset, amount, wallet: receiverWallet };
  return { asset: undefined, amount: bodyOf(ton, ptonTonTransfer).tonAmount, wallet: receiverWallet };
}
