import { sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, coinsOf, destinationOf, known, messageOf, sourceOf } from "../../engine/messageParts.ts";
import { type CallNode, isCall } from "../../engine/nodes.ts";
import { built, call, firstOf, type Match, type Pattern, transfer } from "../../engine/pattern.ts";
import { isKind, type TraceNode, walk } from "../../engine/TraceNode.ts";
import { partyAddress } from "../../kit/addressFields.ts";
import { type AssetAmount, type LiquidityDeposit, liquidityActions, type Side } from "../exchange/liquidity.ts";
import { findReceived, jettonTransfer } from "../jetton/actions.ts";
import {
  jettonBurnNotification,
  jettonBurnShort,
  jettonInternalTransfer,
  jettonNotify,
  jettonTransferBody as transferBody,
} from "../jetton/messages.ts";
import {
  dedustInstallDeposit,
  dedustJettonOf,
  depositJettonPayload,
  depositTonToVault,
  depositToPool,
  payOutFromPool,
} from "./innerMessages.ts";
import {
  dedustCreateLiquidityDeposit,
  dedustDepositAsset,
  dedustFulfillDeposit,
  dedustPayOutFromDeposit,
  dedustPayout,
  dedustRejectDeposit,
} from "./messages.ts";

export const dedustLiquidity = liquidityActions("dedust", { deposit: "dedust_deposit_liquidity" });

/** One side of a deposit: TON or a jetton into its vault, and from there to the contract that collects both. */
function depositSide(installIsOptional: boolean) {
  const sent = call(transferBody);
  const arrived = call(jettonInternalTransfer, { parent: sent });
  const ton = call(depositTonToVault);
  const jetton = call(jettonNotify, { parent: arrived });
  const created = call(dedustCreateLiquidityDeposit, {
    parent: firstOf([ton, jetton]),
    child: call(dedustInstallDeposit, { optional: installIsOptional }),
  });
  return { sent, arrived, ton, jetton, created };
}

type DepositSide = ReturnType<typeof depositSide>;

/** The asset that arrived at the vault. The service refuses a jetton whose vault wallet it does not know. */
function readSide(match: Match, { ton, jetton }: DepositSide, facts: Facts): AssetAmount {
  const paid = match.find(ton);
  if (paid !== undefined) return { asset: undefined, amount: bodyOf(paid, depositTonToVault).amount };
  const notice = match.get(jetton);
  // query_id:uint64 amount:Coins
  const amount = sliceOf(cellOf(notice)).skip(96).loadCoins();
  return { asset: known(facts.findJettonWallet(sourceOf(notice))).jetton, amount };
}

const returnedJetton = call(jettonInternalTransfer, { child: call(jettonNotify, { optional: true }) });
const returnedTransfer = call(transferBody, { child: returnedJetton, optional: true });
const returnedTon = call(dedustPayout, { optional: true });
const returned = call(dedustPayOutFromDeposit, { children: [returnedTransfer, returnedTon], optional: true });
/** At most one plain transfer and one return from each of the two vaults. */
const leftovers = [transfer({ optional: true }), returned, returned];
const minted = call(jettonInternalTransfer, { child: call(jettonNotify, { optional: true }) });
const rejected = call(dedustRejectDeposit, { children: leftovers });
const fulfilled = call(dedustFulfillDeposit, { children: leftovers, optional: true });

const lastSide = depositSide(true);
const toppedUp: Pattern<CallNode> = call(dedustDepositAsset, { parent: lastSide.created });
const deposited = call(depositToPool, {
  parent: toppedUp,
  children: [firstOf([minted, rejected]), fulfilled],
});

/** The side that completes a deposit: it continues to the pool. */
export const dedustDepositMatcher = matcher({
  name: "dedust_deposit_liquidity",
  pattern: deposited,
  build: (match, facts) => {
    const node = match.get(deposited);
    const { ownerAddr, assets } = bodyOf(node, depositToPool);
    const mint = match.find(minted);
    const side = readSide(match, lastSide, facts);
    const excesses = listExcesses(match, facts);
    const data: LiquidityDeposit = {
      sender: ownerAddr,
      pool: mint === undefined ? match.get(rejected).data.source : destinationOf(node),
      depositContract: sourceOf(node),
      first: { ...side, wallet: findOwnWallet(match, ownerAddr, side.asset, facts) },
      lpMinted: mint === undefined ? undefined : known(findReceived(mint)).amount,
      targets: [
        { asset: dedustJettonOf(assets.asset0), amount: assets.asset0Amount },
        { asset: dedustJettonOf(assets.asset1), amount: assets.asset1Amount },
      ],
      excesses: excesses.filter(({ receiver }) => receiver === ownerAddr),
    };
    const from = withoutUnknown(match, facts);
    return made(dedustLiquidity.deposit, data, { from, failed: mint === undefined });
  },
});

/** The owner's wallet that sent the side, if the owner sent it and the wallet is known. */
function findOwnWallet(
  match: Match,
  owner: Address | undefined,
  asset: Address | undefined,
  facts: Facts,
): Address | undefined {
  const sent = match.find(lastSide.sent);
  if (sent === undefined || sent.data.source !== owner) return undefined;
  const wallet = destinationOf(sent);
  return facts.findJettonWallet(wallet)?.jetton === asset ? wallet : undefined;
}

function listExcesses(match: Match, facts: Facts): (AssetAmount & { readonly receiver: Address | undefined })[] {
  const coins = match.list(returnedTon).map((node) => ({
    receiver: node.data.destination,
    asset: undefined,
    amount: coinsOf(node),
  }));
  const arrivals = new Set<TraceNode>(match.list(returnedJetton));
  const jettons = match.list(returnedTransfer).flatMap((sent) => {
    const order = transferBody.find(cellOf(sent));
    const node = sent.next.filter(isCall).find((each) => arrivals.has(each));
    if (order === undefined || node === undefined) return [];
    const wallet = facts.findJettonWallet(destinationOf(node));
    if (wallet === undefined) return [];
    return [{ receiver: wallet.owner, asset: wallet.jetton, amount: findReceived(node)?.amount ?? order.amount }];
  });
  return [...coins, ...jettons];
}

/** What the service cannot read, or what goes to an unknown wallet, is no transfer for it: it omits the messages. */
function withoutUnknown(match: Match, facts: Facts): TraceNode[] {
  const unknown = match
    .list(returnedTransfer)
    .filter(
      (sent) =>
        transferBody.find(cellOf(sent)) === undefined ||
        sent.next.some((each) => isCall(each) && isUnknownArrival(each, match, facts)),
    );
  const dropped = new Set(unknown.flatMap((sent) => walk(sent)));
  return match.members.filter((node) => !dropped.has(node));
}

function isUnknownArrival(node: CallNode, match: Match, facts: Facts): boolean {
  return match.list(returnedJetton).includes(node) && facts.findJettonWallet(destinationOf(node)) === undefined;
}

const firstSide = depositSide(false);
const waiting = call(dedustDepositAsset, { parent: firstSide.created });

/** The side that waits for the other. */
export const dedustPartialMatcher = matcher({
  name: "dedust_deposit_liquidity_partial",
  pattern: waiting,
  build: (match, facts) => {
    const node = match.get(waiting);
    if (node.next.some(isWhole)) return undefined;
    const { sender, poolParams, target0, target1 } = readOrder(match);
    const data: LiquidityDeposit = {
      sender,
      pool: undefined,
      depositContract: destinationOf(node),
      first: { ...readSide(match, firstSide, facts), wallet: match.find(firstSide.arrived)?.data.source },
      targets: [
        { asset: dedustJettonOf(poolParams.asset0), amount: target0 },
        { asset: dedustJettonOf(poolParams.asset1), amount: target1 },
      ],
    };
    return made(dedustLiquidity.partial, data);
  },
});

/** The owner of the deposit, and the target amounts of the pool. */
function readOrder(match: Match) {
  const ton = match.find(firstSide.ton);
  if (ton !== undefined) {
    const { poolParams, targets } = bodyOf(ton, depositTonToVault);
    const { asset0TargetBalance: target0, asset1TargetBalance: target1 } = targets;
    return { sender: ton.data.source, poolParams, target0, target1 };
  }
  // query_id:uint64 amount:Coins sender:addr ^payload; a payload in the body itself is refused.
  const notice = sliceOf(cellOf(match.get(firstSide.jetton))).skip(96);
  notice.loadCoins();
  const sender = partyAddress.load(notice);
  const order = known(depositJettonPayload.find(notice.loadRef()));
  const { poolParams, asset0TargetBalance: target0, asset1TargetBalance: target1 } = order;
  return { sender, poolParams, target0, target1 };
}

function isWhole(node: TraceNode): boolean {
  const { opcode } = isCall(node) ? node.data : { opcode: undefined };
  return opcode === depositToPool.opcode || opcode === dedustRejectDeposit.opcode;
}

const paidJetton = built(jettonTransfer);
const firstPayout = call(payOutFromPool, { child: firstOf<TraceNode>([call(dedustPayout), paidJetton]) });
const secondPayout = call(payOutFromPool, { child: firstOf<TraceNode>([call(dedustPayout), paidJetton]) });
const notified = call(jettonBurnNotification, { children: [firstPayout, secondPayout] });
const burnt = call(jettonBurnShort, { child: notified });

export const dedustWithdrawMatcher = matcher({
  name: "dedust_withdraw_liquidity",
  pattern: burnt,
  build: (match, facts) => {
    const node = match.get(burnt);
    if (facts.findJettonWallet(destinationOf(node)) === undefined) return undefined;
    const data = {
      sender: sourceOf(node),
      senderWallet: destinationOf(node),
      // The service takes the first message after the burn as the notification, whatever it is.
      pool: messageOf(known(node.next[0])).destination,
      first: readPayout(match.get(firstPayout)),
      second: readPayout(match.get(secondPayout)),
      lpBurnt: bodyOf(node, jettonBurnShort).amount,
    };
    return made(dedustLiquidity.withdrawal, data);
  },
});

function readPayout(node: CallNode): Side {
  const { amount } = bodyOf(node, payOutFromPool);
  const paid = node.next.find((next) => isKind(next, jettonTransfer) || (isCall(next) && isPayout(next)));
  if (!isKind(paid, jettonTransfer)) return { asset: undefined, amount, wallet: undefined };
  return { asset: paid.data.asset, amount, wallet: paid.data.receiverWallet };
}

function isPayout({ data }: CallNode): boolean {
  return data.opcode === dedustPayout.opcode;
}

/** The side that waited comes first. Target assets follow that order, target amounts keep the order of the pool. */
export function joinDedustSides(partial: LiquidityDeposit, whole: LiquidityDeposit): LiquidityDeposit {
  const [first, second] = [partial.first, whole.first];
  const targets =
    whole.targets &&
    ([
      { asset: first.asset, amount: whole.targets[0].amount },
      { asset: second.asset, amount: whole.targets[1].amount },
    ] as const);
  return { ...whole, first, second, targets };
}
