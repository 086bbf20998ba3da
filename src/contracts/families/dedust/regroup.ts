import type { Address } from "../../../model/Address.ts";
import { isKind, type TraceNode } from "../../engine/TraceNode.ts";
import type { LiquidityDeposit } from "../exchange/liquidity.ts";
import { dedustDeposit, dedustPartialDeposit } from "./liquidity.ts";

type Deposit = TraceNode<LiquidityDeposit>;

/** Both sides of a deposit in one trace are one event; more than two are ambiguous and stay separate. */
export function joinDedustDeposits(nodes: readonly TraceNode[]): readonly TraceNode[] {
  const deposits = new Map<Address, Deposit[]>();
  for (const node of nodes) {
    if (!isKind(node, dedustDeposit) && !isKind(node, dedustPartialDeposit)) continue;
    const contract = node.data.depositContract;
    if (contract !== undefined) deposits.set(contract, [...(deposits.get(contract) ?? []), node]);
  }
  // If one contract has too many deposits, the service leaves all of them separate.
  if ([...deposits.values()].some((group) => group.length > 2)) return nodes;
  const replaced = new Map<TraceNode, TraceNode | undefined>();
  for (const [first, second] of deposits.values()) {
    if (first === undefined || second === undefined) continue;
    const [partial, whole] = isKind(first, dedustPartialDeposit) ? [first, second] : [second, first];
    if (!isKind(partial, dedustPartialDeposit) || !isKind(whole, dedustDeposit)) continue;
    replaced.set(whole, join(partial, whole));
    replaced.set(partial, undefined);
  }
  return nodes.map((node) => (replaced.has(node) ? replaced.get(node) : node)).filter((node) => node !== undefined);
}

function join(partial: Deposit, whole: Deposit): Deposit {
  const { initiating } = partial;
  const extra = initiating === undefined || initiating === whole.initiating ? [] : [initiating];
  return {
    ...whole,
    data: joinSides(partial.data, whole.data),
    nodes: [...new Set([...whole.nodes, ...partial.nodes, ...extra])],
    parts: [...new Set([...whole.parts, ...partial.parts])],
    startLt: whole.startLt < partial.startLt ? whole.startLt : partial.startLt,
    startAt: Math.min(whole.startAt, partial.startAt),
    endLt: whole.endLt > partial.endLt ? whole.endLt : partial.endLt,
    endAt: Math.max(whole.endAt, partial.endAt),
  };
}

/** The side that waited comes first. Target assets follow that order, target amounts keep the order of the pool. */
function joinSides(partial: LiquidityDeposit, whole: LiquidityDeposit): LiquidityDeposit {
  const [first, second] = [partial.first, whole.first];
  const targets =
    whole.targets &&
    ([
      { asset: first.asset, amount: whole.targets[0].amount },
      { asset: second.asset, amount: whole.targets[1].amount },
    ] as const);
  return { ...whole, first, second, targets };
}
