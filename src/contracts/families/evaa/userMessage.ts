import { type Slice, sliceOf } from "../../../cell/Slice.ts";
import { isCoded } from "../../../lib/errors.ts";
import { cellOf } from "../../engine/messageParts.ts";
import { type CallNode, isCall } from "../../engine/nodes.ts";
import { type MatchContext, type Pattern, where } from "../../engine/pattern.ts";
import type { TraceNode } from "../../engine/TraceNode.ts";

/** Messages to a user's contract begin with a header that may upgrade it; the opcode follows. */
// version:Coins upgrade_info:(Maybe ^Cell) upgrade_exec:int2
export function userBodyOf(node: TraceNode): Slice {
  const slice = sliceOf(cellOf(node));
  slice.loadCoins();
  slice.loadMaybeRef();
  return slice.skip(2);
}

/** A message to a user's contract with the opcode after its header. */
export function userCall(opcode: number, around?: MatchContext): Pattern<CallNode> {
  return where((node): node is CallNode => isCall(node) && findOpcode(node) === opcode, around);
}

function findOpcode(node: TraceNode): number | undefined {
  try {
    return userBodyOf(node).loadUint(32);
  } catch (error) {
    if (isCoded(error)) return undefined;
    throw error;
  }
}
