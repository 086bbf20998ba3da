import { sliceOf } from "../../../cell/Slice.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { bodyOf, cellOf, coinsOf, destinationOf, isAborted, known, noMatch } from "../../engine/messageParts.ts";
import { call } from "../../engine/pattern.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";
import { address } from "../../kit/addressFields.ts";
import { refusable } from "../../kit/entity.ts";
import type { Cocoon, TokensUsed } from "./event.ts";
import { anyExcess, cocoonExcess, cocoonKind, cocoonPayoutCall, formatExpected } from "./event.ts";
import {
  cocoonClientProxyRefundGranted,
  cocoonClientProxyRequest,
  cocoonExtProxyPayoutRequest,
  cocoonGrantRefundPayload,
  cocoonLastPayoutPayload,
  cocoonOwnerClientWithdraw,
  cocoonPayoutPayload,
  cocoonWorkerProxyRequest,
} from "./messages.ts";

interface WorkerPayout extends Cocoon {
  readonly payoutType: "regular" | "last";
  readonly newTokens: bigint;
  readonly workerState: number;
  readonly workerTokens: bigint;
}

export const workerPayout = cocoonKind<WorkerPayout>("cocoon_worker_payout", (f) => ({
  payout_type: f.text("Kind of payment.", (p) => p.payoutType),
  query_id: f.amount("Number that the sender chose to recognise the answer by.", (p) => p.queryId),
  new_tokens: f.amount("Tokens that were added.", (p) => p.newTokens),
  worker_state: f.number("State of the worker as a number.", (p) => p.workerState),
  worker_tokens: f.amount("Tokens that the worker has earned, as a whole number.", (p) => p.workerTokens),
  source: f.address("Address of the sender.", (p) => p.source),
  destination: f.address("Address of the receiver.", (p) => p.destination),
  amount: f.amount("Coins that the worker receives, in nanocoins.", (p) => p.amount),
}));

const workerRequest = call(cocoonWorkerProxyRequest, { children: [cocoonPayoutCall, anyExcess] });
const workerPaid = call([cocoonPayoutPayload.opcode, cocoonLastPayoutPayload.opcode], { child: workerRequest });

export const workerPayoutMatcher = matcher({
  name: "cocoon_worker_payout",
  pattern: workerPaid,
  build: (match) => {
    const node = match.get(workerPaid);
    const regular = cocoonPayoutPayload.find(cellOf(node));
    const { queryId, tokens } = regular ?? bodyOf(node, cocoonLastPayoutPayload);
    const request = bodyOf(match.get(workerRequest), cocoonWorkerProxyRequest);
    const paid = match.get(cocoonPayoutCall);
    const data: WorkerPayout = {
      payoutType: regular === undefined ? "last" : "regular",
      queryId,
      newTokens: tokens,
      workerState: request.state,
      workerTokens: request.tokens,
      source: node.data.source,
      sourceSecondary: destinationOf(node),
      destination: request.owner,
      amount: coinsOf(paid),
    };
    return made(workerPayout, data, { failed: isAborted(paid) });
  },
});

export const proxyPayout = cocoonKind<Cocoon>("cocoon_proxy_payout", (f) => ({
  query_id: f.amount("Number that the sender chose to recognise the answer by.", (p) => p.queryId),
  source: f.address("Address of the sender.", (p) => p.source),
  destination: f.address("Address of the receiver.", (p) => p.destination),
}));

const proxyPaid = call(cocoonExtProxyPayoutRequest, { children: [cocoonPayoutCall, cocoonExcess] });

export const proxyPayoutMatcher = matcher({
  name: "cocoon_proxy_payout",
  pattern: proxyPaid,
  build: (match) => {
    const node = match.get(proxyPaid);
    const paid = match.get(cocoonPayoutCall);
    const { queryId, sendExcessesTo } = bodyOf(node, cocoonExtProxyPayoutRequest);
    const data = {
      queryId,
      source: destinationOf(node),
      destination: destinationOf(paid),
      destinationSecondary: sendExcessesTo,
    };
    return made(proxyPayout, data, { failed: isAborted(paid) });
  },
});

export const grantRefund = cocoonKind<TokensUsed>("cocoon_grant_refund", (f) => ({
  query_id: f.amount("Number that the sender chose to recognise the answer by.", (g) => g.queryId),
  new_tokens_used: f.amount("Tokens that are used up by now.", (g) => g.newTokensUsed),
  expected_address: f.text("Address that the contract expects.", (g) => g.expected),
  source: f.address("Address of the sender.", (g) => g.source),
  destination: f.address("Address of the receiver.", (g) => g.destination),
  amount: f.amount("Coins that the client gets back, in nanocoins.", (g) => g.amount),
}));

const grantRequest = call(cocoonClientProxyRequest, { children: [cocoonPayoutCall, cocoonExcess] });
const granted = call(cocoonGrantRefundPayload, { child: grantRequest });

export const grantRefundMatcher = matcher({
  name: "cocoon_grant_refund",
  pattern: granted,
  build: (match) => {
    const node = match.get(granted);
    const { queryId, tokens, expectedAddress } = bodyOf(node, cocoonGrantRefundPayload);
    const paid = match.get(cocoonPayoutCall);
    const data = {
      queryId,
      newTokensUsed: tokens,
      expected: formatExpected(expectedAddress),
      source: destinationOf(node),
      sourceSecondary: destinationOf(match.get(grantRequest)),
      destination: destinationOf(paid),
      amount: coinsOf(paid),
    };
    return made(grantRefund, data, { failed: isAborted(paid) });
  },
});

export const clientWithdraw = cocoonKind<Cocoon>("cocoon_client_withdraw", (f) => ({
  query_id: f.amount("Number that the sender chose to recognise the answer by.", (w) => w.queryId),
  withdraw_amount: f.amount("Amount that is withdrawn, in nanocoins.", (w) => w.amount),
  source: f.address("Address of the sender.", (w) => w.source),
  destination: f.address("Address of the receiver.", (w) => w.destination),
  amount: f.amount("Coins that the client receives, in nanocoins.", (w) => w.amount),
}));

const withdrawRequest = call(cocoonClientProxyRequest, { children: [anyExcess, cocoonPayoutCall] });
const withdrawn = call(cocoonOwnerClientWithdraw, { child: withdrawRequest });

export const clientWithdrawMatcher = matcher({
  name: "cocoon_client_withdraw",
  pattern: withdrawn,
  build: (match) => {
    const node = match.get(withdrawn);
    const { queryId, sendExcessesTo } = bodyOf(node, cocoonOwnerClientWithdraw);
    const data = {
      queryId,
      source: sendExcessesTo,
      destination: destinationOf(node),
      // An unreadable grant counts as none.
      amount: refusable(() => readGranted(match.get(withdrawRequest))) ?? 0n,
    };
    return made(clientWithdraw, data, { failed: isAborted(node) });
  },
});

// query_id:uint64 owner:addr ^state payload:(Maybe ^[ refund_granted#c68ebc7b coins:Coins excesses_to:addr ])
function readGranted(node: TraceNode): bigint {
  const body = sliceOf(cellOf(node)).skip(96);
  address.load(body);
  body.loadRef();
  const payload = sliceOf(known(body.loadMaybeRef()));
  if (payload.loadUint(32) !== cocoonClientProxyRefundGranted.opcode) throw noMatch("no refund was granted");
  const granted = payload.loadCoins();
  address.load(payload);
  return granted;
}
