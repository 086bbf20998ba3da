import type { Address } from "../../../model/Address.ts";
import { parseHash } from "../../../model/Hash.ts";
import type { Facts } from "../../engine/Facts.ts";
import { made, matcher } from "../../engine/matcher.ts";
import { coinsOf, destinationOf } from "../../engine/messageParts.ts";
import { isTonTransfer, type TonTransferNode } from "../../engine/nodes.ts";
import { call, where } from "../../engine/pattern.ts";
import { byStart } from "../../engine/TraceNode.ts";
import { stakingActions } from "../exchange/staking.ts";
import { demoPoolCode } from "./poolStorage.ts";

const poolCode = parseHash("mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=");

function isPool(facts: Facts, address: Address): boolean {
  const code = facts.findCodeHash(address);
  return code === poolCode || code === demoPoolCode;
}

export const nominatorStaking = stakingActions("nominator", {
  deposit: "nominator_pool_deposit",
  request: "nominator_pool_withdraw_request",
});

function saying(comment: string) {
  return where((node): node is TonTransferNode => isTonTransfer(node) && node.data.comment === comment, {
    takesReplies: "all",
  });
}

const deposited = saying("d");

export const nominatorDepositMatcher = matcher({
  name: "nominator_pool_deposit",
  pattern: deposited,
  build: (match, facts) => {
    const node = match.get(deposited);
    const { source, destination } = node.data;
    if (!isPool(facts, destination)) return undefined;
    const data = { holder: source, pool: destination, amount: coinsOf(node) };
    return made(nominatorStaking.deposit, data, { failed: node.failed });
  },
});

const asked = saying("w");

export const nominatorRequestMatcher = matcher({
  name: "nominator_pool_withdraw_request",
  pattern: asked,
  build: (match, facts) => {
    const node = match.get(asked);
    const { source, destination } = node.data;
    if (!isPool(facts, destination)) return undefined;
    const transfers = node.next.filter(isTonTransfer).sort(byStart);
    const payout = findPayout(node, transfers);
    const also = transfers.length === 1 || transfers.length === 2 ? transfers : [];
    const data = { holder: source, pool: destination, amount: payout };
    return made(payout === undefined ? nominatorStaking.request : nominatorStaking.withdrawal, data, {
      failed: node.failed,
      also,
    });
  },
});

/** One transfer returns the rest of the request's own value, unless it is more than that. */
function findPayout(node: TonTransferNode, transfers: readonly TonTransferNode[]): bigint | undefined {
  const [first] = transfers;
  if (first === undefined || transfers.length > 2) return undefined;
  const paid = coinsOf(first);
  return transfers.length === 2 || paid > coinsOf(node) ? paid : undefined;
}

const processRequests = 0x00000002;
const processed = call(processRequests, { takesReplies: "all" });

/** The owner of a pool pays out all requests. */
export const nominatorPayoutMatcher = matcher({
  name: "nominator_pool_withdraw",
  pattern: processed,
  build: (match, facts) => {
    const node = match.get(processed);
    const pool = destinationOf(node);
    if (!isPool(facts, pool)) return undefined;
    return node.next.filter(isTonTransfer).map((payout) => {
      const data = { holder: payout.data.destination, pool, amount: coinsOf(payout) };
      return made(nominatorStaking.withdrawal, data, { from: [payout] });
    });
  },
});
