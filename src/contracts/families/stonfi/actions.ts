import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import type { Address } from "../../../model/Address.ts";
import type { Facts } from "../../engine/Facts.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, known } from "../../engine/messageParts.ts";
import type { CallNode } from "../../engine/nodes.ts";
import { isCall } from "../../engine/nodes.ts";
import { built, call, where } from "../../engine/pattern.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";
import { isKind } from "../../engine/TraceNode.ts";
import { address } from "../../kit/addressFields.ts";
import { refusable } from "../../kit/entity.ts";
import { type JettonSwap, jettonSwap } from "../exchange/swap.ts";
import { type JettonTransfer, jettonTransfer } from "../jetton/actions.ts";
import { stonfiPaymentRequest, stonfiSwap, stonfiSwapForwardPayload } from "./messages.ts";

const swapOk = 0xc64370e5;
/** A payment to the referrer; not part of the swap. */
const swapOkReferral = 0x45078540;
/** Answers to the user: success, too little liquidity, reserves would be violated. */
const userAnswers: ReadonlySet<number> = new Set([swapOk, 0x5ffe1295, 0x38976e9b]);

interface Payment {
  readonly exitCode: number;
  readonly amount: bigint;
  readonly token: Address | undefined;
}

// query_id:uint64 owner:addr exit_code:uint32 ^[ amount0:Coins token0:addr amount1:Coins token1:addr ]
function readPayment(node: TraceNode): Payment {
  const body = sliceOf(cellOf(node)).skip(96);
  address.load(body);
  const exitCode = body.loadUint(32);
  const params = sliceOf(body.loadRef());
  const amount0 = params.loadCoins();
  const token0 = address.load(params);
  const amount1 = params.loadCoins();
  const token1 = address.load(params);
  return amount0 > 0n ? { exitCode, amount: amount0, token: token0 } : { exitCode, amount: amount1, token: token1 };
}

function isUserPayment(node: TraceNode): node is CallNode {
  if (!isCall(node) || node.data.opcode !== stonfiPaymentRequest.opcode) return false;
  // If it does not have the layout of a payment, the service refuses the swap.
  return refusable(() => readPayment(node).exitCode) !== swapOkReferral;
}

const paid = built(jettonTransfer);
const payment = where(isUserPayment, { child: paid });
const swapped = call(stonfiSwap, { child: payment });
const given = built(jettonTransfer, { child: swapped });

export const stonfiSwapMatcher = matcher({
  name: "stonfi_swap",
  pattern: given,
  build: (match, facts) => {
    const payments = match.list(payment).map((node) => ({ ...readPayment(node), node }));
    const answers = payments.filter(({ exitCode }) => userAnswers.has(exitCode));
    const [first] = answers;
    if (first === undefined) return undefined;
    const payout = answers.reduce((a, b) => (b.amount > a.amount ? b : a));
    const outgoing = known(payout.node.next.find((next) => isKind(next, jettonTransfer)));
    const swap = readSwap(match.get(swapped));
    const data = makeSwap(match.get(given).data, outgoing.data as JettonTransfer, swap, payout, facts);
    const isOk = answers.at(-1)?.exitCode === swapOk;
    return made(jettonSwap, data, { failed: !isOk });
  },
});

interface Swap {
  readonly to: Address | undefined;
  readonly user: Address | undefined;
  readonly tokenWallet: Address;
  readonly amount: bigint;
}

function readSwap(node: TraceNode): Swap {
  const body = bodyOf(node, stonfiSwap);
  if (body.hasRefAddress) readReferral(node);
  return {
    to: body.toAddress,
    user: body.addrs.fromUser,
    tokenWallet: known(body.senderAddress),
    amount: body.jettonAmount,
  };
}

/** The service reads the referrer behind the user, and refuses a swap whose referrer is unreadable. */
function readReferral(node: TraceNode): void {
  const addresses = sliceOf(known(cellOf(node).refs()[0]));
  address.load(addresses);
  address.load(addresses);
}

function makeSwap(
  jettonTransfer: JettonTransfer,
  paidOut: JettonTransfer,
  swap: Swap,
  payout: Payment,
  facts: Facts,
): JettonSwap {
  const payload = jettonTransfer.forwardPayload;
  const asked = payload === undefined ? undefined : refusable(() => findAsked(sliceOf(payload)));
  const poolWallet = known(facts.findJettonWallet(swap.tokenWallet));
  const askedWallet = known(asked === undefined ? payout.token : asked.wallet);
  const assetPaid = facts.findJettonWallet(known(payout.token))?.jetton;
  const assetAsked = facts.findJettonWallet(askedWallet)?.jetton;
  const isJetton = paidOut.hasInternalTransfer;
  return {
    dex: "stonfi",
    sender: swap.user,
    assetIn: poolWallet.jetton,
    assetOut: assetAsked ?? assetPaid,
    askedWallet,
    incoming: {
      asset: poolWallet.jetton,
      amount: swap.amount,
      source: swap.user,
      sourceWallet: jettonTransfer.hasInternalTransfer ? jettonTransfer.senderWallet : undefined,
      destination: poolWallet.owner,
      destinationWallet: swap.tokenWallet,
    },
    outgoing: {
      asset: assetPaid,
      amount: payout.amount,
      source: paidOut.sender,
      sourceWallet: paidOut.senderWallet,
      destination: isJetton ? paidOut.receiver : asked === undefined ? swap.to : asked.user,
      destinationWallet: isJetton ? paidOut.receiverWallet : undefined,
    },
    peers: [],
  };
}

// 0x25938561 token_wallet:addr min_out:Coins user:addr
function findAsked(
  payload: Slice,
): { readonly wallet: Address | undefined; readonly user: Address | undefined } | undefined {
  if (payload.remainingBits < 32 || payload.loadUint(32) !== stonfiSwapForwardPayload.opcode) return undefined;
  const wallet = address.load(payload);
  payload.loadCoins();
  return { wallet, user: address.load(payload) };
}
