import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf } from "../../engine/messageParts.ts";
import { type CallNode, isCall } from "../../engine/nodes.ts";
import { built, call, type Match, where } from "../../engine/pattern.ts";
import { byStart, type TraceNode } from "../../engine/TraceNode.ts";
import { type AssetAmount, type LiquidityDeposit, liquidityActions, type Side } from "../exchange/liquidity.ts";
import { jettonTransfer } from "../jetton/actions.ts";
import { type Carrier, carrier, findOrder, leg, quiet, readLeg, returnedExcess, senderOf } from "./carrier.ts";
import {
  creditAsset,
  creditLiquidity,
  depositLog,
  depositOrder,
  exitLiquidity,
  joinLiquidity,
  payoutBody,
  withdrawalLog,
  withdrawBody,
  withdrawLiquidity,
} from "./messages.ts";

export const dedustV2Liquidity = liquidityActions("dedust_v2", { deposit: "dedust_v2_deposit_liquidity" });

const removed = call(withdrawalLog, { ...quiet, optional: true });
const left = call(exitLiquidity, { ...quiet, children: [removed, leg, leg] });
const asked = call(withdrawBody, { child: call(withdrawLiquidity, { ...quiet, child: left }) });

export const dedustV2WithdrawMatcher = matcher({
  name: "dedust_v2_withdraw_liquidity",
  pattern: asked,
  build: (match) => {
    const node = match.get(asked);
    const { liquidity, claimsFees } = bodyOf(node, withdrawBody);
    // Fees come with the same payments, so that the amounts are not those of the share.
    if (claimsFees) return undefined;
    const report = match.find(removed);
    const [first, second] = match
      .list(leg)
      .sort(byStart)
      .map((paid): Side => {
        const { asset, amount, userWallet } = readLeg(paid);
        return { asset, amount, wallet: userWallet };
      });
    const data = {
      sender: node.data.source,
      senderWallet: undefined,
      pool: node.data.destination,
      first,
      second,
      lpBurnt: report === undefined ? liquidity : bodyOf(report, withdrawalLog).liquidity,
    };
    return made(dedustV2Liquidity.withdrawal, data, { failed: report === undefined });
  },
});

/** The sides of a deposit of which one is known: that of the given number. */
function sidesOf(isX: boolean, side: Side, amounts: readonly [bigint | undefined, bigint | undefined]) {
  const other = { asset: undefined, wallet: undefined };
  const [first, second] = isX ? [side, other] : [other, side];
  return {
    given: isX ? 1 : 2,
    first: { ...first, amount: amounts[0] },
    second: { ...second, amount: amounts[1] },
  } as const;
}

function readSide(node: Carrier): Side {
  if (isCall(node)) return { asset: undefined, amount: undefined, wallet: undefined };
  return { asset: node.data.asset, amount: undefined, wallet: node.data.senderWallet };
}

function isDepositLog(node: TraceNode): boolean {
  return isCall(node) && node.data.opcode === depositLog.opcode;
}

function isRejected(node: TraceNode): node is CallNode {
  return isCall(node) && node.data.opcode === joinLiquidity.opcode && !node.next.some(isDepositLog);
}

/** Brings the last side of a deposit to the contract that collects both; what is left over comes back. */
const credit = call(creditAsset, { ...quiet, parent: carrier });
const jettonsBack = built(jettonTransfer, { optional: true });
const coinsBack = call(payoutBody, { ...quiet, optional: true });
const refunded = [jettonsBack, jettonsBack, coinsBack];

/** The order of a deposit; nothing depends on it but the amounts that were wanted. */
function findDepositOrder(node: Carrier) {
  const order = findOrder(node);
  return order && depositOrder.find(order);
}

/** What both outcomes of a deposit have; refuses a refund to anybody but the initiator. */
function readDeposit(match: Match, node: CallNode, amounts: readonly [bigint, bigint]) {
  const given = match.get(carrier);
  const { initiator } = bodyOf(node, joinLiquidity);
  const { isX } = bodyOf(match.get(credit), creditAsset);
  const order = findDepositOrder(given);
  const sides = sidesOf(isX, readSide(given), amounts);
  const refunds = [...match.list(jettonsBack).sort(byStart), ...match.list(coinsBack)].map(readLeg);
  if (refunds.some(({ receiver }) => receiver !== initiator)) return undefined;
  return {
    sender: initiator,
    pool: node.data.destination,
    depositContract: node.data.source,
    ...sides,
    targets: [
      { asset: sides.first.asset, amount: order?.amountX },
      { asset: sides.second.asset, amount: order?.amountY },
    ],
    excesses: refunds.map(({ asset, amount }): AssetAmount => ({ asset, amount })),
  } satisfies LiquidityDeposit;
}

const added = call(depositLog, quiet);
const joined = call(joinLiquidity, {
  parent: credit,
  children: [added, call(creditLiquidity, { optional: true }), ...refunded],
});

export const dedustV2DepositMatcher = matcher({
  name: "dedust_v2_deposit_liquidity",
  pattern: joined,
  build: (match) => {
    const { amountX, amountY, liquidity } = bodyOf(match.get(added), depositLog);
    const data = readDeposit(match, match.get(joined), [amountX, amountY]);
    return data && made(dedustV2Liquidity.deposit, { ...data, lpMinted: liquidity });
  },
});

const rejected = where(isRejected, {
  parent: credit,
  children: [...refunded, returnedExcess],
});

/** The pool does not take the assets and returns them. */
export const dedustV2RejectedMatcher = matcher({
  name: "dedust_v2_rejected_deposit",
  pattern: rejected,
  build: (match) => {
    const node = match.get(rejected);
    const { amountX, amountY } = bodyOf(node, joinLiquidity);
    const data = readDeposit(match, node, [amountX, amountY]);
    return data && data.excesses.length > 0 ? made(dedustV2Liquidity.deposit, data, { failed: true }) : undefined;
  },
});

const waiting = call(creditAsset, { parent: carrier, child: returnedExcess });

/** The side that waits for the other. */
export const dedustV2PartialMatcher = matcher({
  name: "dedust_v2_deposit_liquidity_partial",
  pattern: waiting,
  build: (match) => {
    const [node, given] = [match.get(waiting), match.get(carrier)];
    const { isX, amount } = bodyOf(node, creditAsset);
    const data: LiquidityDeposit = {
      sender: senderOf(given),
      pool: node.data.source,
      depositContract: node.data.destination,
      ...sidesOf(isX, readSide(given), isX ? [amount, undefined] : [undefined, amount]),
    };
    return made(dedustV2Liquidity.partial, data);
  },
});

/** The waiting side fills what the other does not know; target amounts are those of the order. */
export function joinDedustV2Sides(partial: LiquidityDeposit, whole: LiquidityDeposit): LiquidityDeposit {
  if (partial.given === whole.given) return whole;
  const first = filled(whole.first, partial.first);
  const second = filled(whole.second, partial.second);
  const targets =
    whole.targets &&
    ([
      { ...whole.targets[0], asset: first.asset },
      { ...whole.targets[1], asset: second.asset },
    ] as const);
  return { ...whole, first, second, targets };
}

function filled(side: Side | undefined, other: Side | undefined): Side {
  return {
    asset: side?.asset ?? other?.asset,
    amount: side?.amount ?? other?.amount,
    wallet: side?.wallet ?? other?.wallet,
  };
}
