import type { Address } from "../../../model/Address.ts";
import type { NodeKind } from "../../engine/kind.ts";
import { type Matcher, made, matcher } from "../../engine/matcher.ts";
import { bodyOf, destinationOf, isAborted } from "../../engine/messageParts.ts";
import type { CallNode } from "../../engine/nodes.ts";
import { call, type Pattern } from "../../engine/pattern.ts";
import { type Cocoon, cocoonExcess, cocoonKind, formatExpected, type TokensUsed, toProxy } from "./event.ts";
import {
  cocoonChargePayload,
  cocoonClientProxyRequest,
  cocoonExtClientTopUp,
  cocoonOwnerClientChangeSecretHash,
  cocoonOwnerClientIncreaseStake,
  cocoonOwnerClientRegister,
  cocoonOwnerClientRequestRefund,
  cocoonRegisterProxy,
  cocoonUnregisterProxy,
  cocoonWalletRequest,
} from "./messages.ts";

export const proxyCharge = cocoonKind<TokensUsed>("cocoon_proxy_charge", (f) => ({
  query_id: f.amount("Number that the sender chose to recognise the answer by.", (c) => c.queryId),
  new_tokens_used: f.amount("Tokens that are used up by now.", (c) => c.newTokensUsed),
  expected_address: f.text("Address that the contract expects.", (c) => c.expected),
  source: f.address("Address of the sender.", (c) => c.source),
  destination: f.address("Address of the receiver.", (c) => c.destination),
}));

const charged = call(cocoonChargePayload, { children: [cocoonExcess, toProxy] });

export const proxyChargeMatcher = matcher({
  name: "cocoon_proxy_charge",
  pattern: charged,
  build: (match) => {
    const node = match.get(charged);
    const { queryId, tokens, expectedAddress } = bodyOf(node, cocoonChargePayload);
    const data = {
      queryId,
      newTokensUsed: tokens,
      expected: formatExpected(expectedAddress),
      source: destinationOf(node),
      destination: destinationOf(match.get(toProxy)),
    };
    return made(proxyCharge, data, { failed: isAborted(node) });
  },
});

export const clientTopUp = cocoonKind<Cocoon>("cocoon_client_top_up", (f) => ({
  query_id: f.amount("Number that the sender chose to recognise the answer by.", (t) => t.queryId),
  source: f.address("Address of the sender.", (t) => t.source),
  destination: f.address("Address of the receiver.", (t) => t.destination),
  amount: f.amount("Coins of the top-up, in nanocoins.", (t) => t.amount),
}));

const topUpRequest = call(cocoonClientProxyRequest, { children: [cocoonExcess] });
const toppedUp = call(cocoonExtClientTopUp, { child: topUpRequest });

export const clientTopUpMatcher = matcher({
  name: "cocoon_client_top_up",
  pattern: toppedUp,
  build: (match) => {
    const node = match.get(toppedUp);
    const { queryId, amount, sendExcessesTo } = bodyOf(node, cocoonExtClientTopUp);
    const data = {
      queryId,
      source: sendExcessesTo,
      destination: destinationOf(node),
      destinationSecondary: destinationOf(match.get(topUpRequest)),
      amount,
    };
    return made(clientTopUp, data, { failed: isAborted(node) });
  },
});

export const registerProxy = cocoonKind<Cocoon>("cocoon_register_proxy", (f) => ({
  query_id: f.amount("Number that the sender chose to recognise the answer by.", (r) => r.queryId),
  destination: f.address("Address of the receiver.", (r) => r.destination),
}));

const registered = call(cocoonRegisterProxy, { child: cocoonExcess });

export const registerProxyMatcher = matcher({
  name: "cocoon_register_proxy",
  pattern: registered,
  build: (match) => {
    const node = match.get(registered);
    const { queryId } = bodyOf(node, cocoonRegisterProxy);
    return made(registerProxy, { queryId, destination: destinationOf(node) }, { failed: isAborted(node) });
  },
});

interface Unregistration extends Cocoon {
  readonly seqno: number;
}

export const unregisterProxy = cocoonKind<Unregistration>("cocoon_unregister_proxy", (f) => ({
  query_id: f.amount("Number that the sender chose to recognise the answer by.", (u) => u.queryId),
  seqno: f.number("Number of the request at the root contract.", (u) => u.seqno),
  destination: f.address("Address of the receiver.", (u) => u.destination),
}));

const unregistered = call(cocoonUnregisterProxy, { child: cocoonExcess });

export const unregisterProxyMatcher = matcher({
  name: "cocoon_unregister_proxy",
  pattern: unregistered,
  build: (match) => {
    const node = match.get(unregistered);
    const body = bodyOf(node, cocoonUnregisterProxy);
    return made(unregisterProxy, { ...body, destination: destinationOf(node) }, { failed: isAborted(node) });
  },
});

/** A request of an owner to a client contract, which forwards it to its proxy. */
function ownerMatcher<T extends Cocoon>(
  event: NodeKind<T>,
  pattern: Pattern<CallNode>,
  read: (node: CallNode) => T,
): Matcher {
  return matcher({
    name: event.name,
    pattern,
    build: (match) => {
      const node = match.get(pattern);
      return made(event, read(node), { failed: isAborted(node) });
    },
  });
}

/** The owner is the receiver of the excesses, by the body. */
function endsOf(node: CallNode, { sendExcessesTo }: { readonly sendExcessesTo: Address | undefined }) {
  return { source: sendExcessesTo, destination: destinationOf(node) };
}

const replies = { children: [cocoonExcess, toProxy] };

interface Registration extends Cocoon {
  readonly nonce: bigint;
}

export const clientRegister = cocoonKind<Registration>("cocoon_client_register", (f) => ({
  query_id: f.amount("Number that the sender chose to recognise the answer by.", (r) => r.queryId),
  nonce: f.amount("Number of the packet or request.", (r) => r.nonce),
  source: f.address("Address of the sender.", (r) => r.source),
  destination: f.address("Address of the receiver.", (r) => r.destination),
}));

export const clientRegisterMatcher = ownerMatcher(clientRegister, call(cocoonOwnerClientRegister, replies), (node) => {
  const body = bodyOf(node, cocoonOwnerClientRegister);
  return { ...body, ...endsOf(node, body) };
});

interface SecretChange extends Cocoon {
  readonly newSecretHash: bigint;
}

export const changeSecretHash = cocoonKind<SecretChange>("cocoon_client_change_secret_hash", (f) => ({
  query_id: f.amount("Number that the sender chose to recognise the answer by.", (c) => c.queryId),
  new_secret_hash: f.text("Hash of the new secret.", (c) => c.newSecretHash.toString(16)),
  source: f.address("Address of the sender.", (c) => c.source),
  destination: f.address("Address of the receiver.", (c) => c.destination),
}));

export const changeSecretHashMatcher = ownerMatcher(
  changeSecretHash,
  call(cocoonOwnerClientChangeSecretHash, replies),
  (node) => {
    const body = bodyOf(node, cocoonOwnerClientChangeSecretHash);
    return { ...body, ...endsOf(node, body) };
  },
);

interface RefundRequest extends Cocoon {
  readonly viaWallet: boolean;
}

export const requestRefund = cocoonKind<RefundRequest>("cocoon_client_request_refund", (f) => ({
  query_id: f.amount("Number that the sender chose to recognise the answer by.", (r) => r.queryId),
  via_wallet: f.bool("Whether the request came through the wallet.", (r) => r.viaWallet),
  source: f.address("Address of the sender.", (r) => r.source),
  destination: f.address("Address of the receiver.", (r) => r.destination),
}));

const viaWallet = call(cocoonWalletRequest, { optional: true });
const refundAsked = call(cocoonOwnerClientRequestRefund, { children: [cocoonExcess, toProxy], parent: viaWallet });

export const requestRefundMatcher = matcher({
  name: "cocoon_client_request_refund",
  pattern: refundAsked,
  build: (match) => {
    const node = match.get(refundAsked);
    const body = bodyOf(node, cocoonOwnerClientRequestRefund);
    const data = { queryId: body.queryId, viaWallet: match.find(viaWallet) !== undefined, ...endsOf(node, body) };
    return made(requestRefund, data, { failed: isAborted(node) });
  },
});

interface StakeIncrease extends Cocoon {
  readonly newStake: bigint;
}

export const increaseStake = cocoonKind<StakeIncrease>("cocoon_client_increase_stake", (f) => ({
  query_id: f.amount("Number that the sender chose to recognise the answer by.", (i) => i.queryId),
  new_stake: f.amount("Stake after the increase, in nanocoins.", (i) => i.newStake),
  source: f.address("Address of the sender.", (i) => i.source),
  destination: f.address("Address of the receiver.", (i) => i.destination),
  amount: f.amount("Coins that are added to the stake, in nanocoins.", (i) => i.amount),
}));

export const increaseStakeMatcher = ownerMatcher(
  increaseStake,
  call(cocoonOwnerClientIncreaseStake, replies),
  (node) => {
    const body = bodyOf(node, cocoonOwnerClientIncreaseStake);
    return { ...body, ...endsOf(node, body), amount: body.newStake };
  },
);
