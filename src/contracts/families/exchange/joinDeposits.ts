import type { Address } from "../../../model/Address.ts";
import type { NodeKind } from "../../engine/kind.ts";
import { isKind, spanOf, type TraceNode } from "../../engine/TraceNode.ts";
import type { LiquidityDeposit } from "./liquidity.ts";

type Deposit = TraceNode<LiquidityDeposit>;

/** How one exchange reports both sides of a deposit. */
export interface DepositJoin {
  /** The side that completes a deposit. */
  readonly deposit: NodeKind<LiquidityDeposit>;
  /** The side that waits for the other. */
  readonly partial: NodeKind<LiquidityDeposit>;
  joinSides(partial: LiquidityDeposit, whole: LiquidityDeposit): LiquidityDeposit;
}

/** Both sides of a deposit in one trace are one event; more than two are ambiguous and stay separate. */
export function joinDeposits(nodes: readonly TraceNode[], exchange: DepositJoin): readonly TraceNode[] {
  const isPartial = (node: TraceNode): node is Deposit => isKind(node, exchange.partial);
  const isWhole = (node: TraceNode): node is Deposit => isKind(node, exchange.deposit);
  // Most traces have none.
  if (!nodes.some(isPartial)) return nodes;
  const deposits = new Map<Address | undefined, Deposit[]>();
  for (const node of nodes) {
    if (!isWhole(node) && !isPartial(node)) continue;
    const contract = node.data.depositContract;
    deposits.set(contract, [...(deposits.get(contract) ?? []), node]);
  }
  // If one contract has too many deposits, the service leaves all of them separate.
  if ([...deposits.values()].some((group) => group.length > 2)) return nodes;
  const replaced = new Map<TraceNode, TraceNode | undefined>();
  for (const [first, second] of deposits.values()) {
    if (first === undefined || second === undefined) continue;
    const [partial, whole] = isPartial(first) ? [first, second] : [second, first];
    if (!isPartial(partial) || !isWhole(whole)) continue;
    replaced.set(whole, join(partial, whole, exchange));
    replaced.set(partial, undefined);
  }
  return nodes.map((node) => (replaced.has(node) ? replaced.get(node) : node)).filter((node) => node !== undefined);
}

function join(partial: Deposit, whole: Deposit, exchange: DepositJoin): Deposit {
  const { initiating } = partial;
  const extra = initiating === undefined || initiating === whole.initiating ? [] : [initiating];
  const nodes = [...new Set([...whole.nodes, ...partial.nodes, ...extra])];
  return {
    ...whole,
    ...spanOf(nodes),
    data: exchange.joinSides(partial.data, whole.data),
    nodes,
    parts: [...new Set([...whole.parts, ...partial.parts])],
  };
}
