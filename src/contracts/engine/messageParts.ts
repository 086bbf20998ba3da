import type { Cell } from "../../cell/Cell.ts";
import type { Address } from "../../model/Address.ts";
import type { Body } from "../kit/declare.ts";
import { ContractError } from "../kit/errors.ts";
import { type CallNode, isCall, type TonTransferNode } from "./nodes.ts";
import type { TraceNode } from "./TraceNode.ts";

export const excessOpcode = 0xd53276db;
export const bounceOpcode = 0xffffffff;

/** A message that only returns money: excess or bounce. */
export function isReply(node: TraceNode): node is CallNode {
  return isCall(node) && (node.data.opcode === excessOpcode || node.data.opcode === bounceOpcode);
}

export function isBounce(node: TraceNode): boolean {
  return isCall(node) && node.data.opcode === bounceOpcode;
}

export function noMatch(reason: string): ContractError {
  return new ContractError("contracts/no-match", reason);
}

/** The message of a node with one message. */
export function messageOf(node: TraceNode): NonNullable<TraceNode["nodes"][number]["message"]> {
  const message = node.nodes[0]?.message;
  if (message === undefined) throw noMatch("the node has no message");
  return message;
}

export function cellOf(node: TraceNode): Cell {
  return messageOf(node).body;
}

/** The decoded body of a message; a body that does not fit means no match. */
export function bodyOf<T>(node: TraceNode, body: Body<T>): T {
  const value = body.find(cellOf(node));
  if (value === undefined) throw noMatch(`the message carries no ${body.name}`);
  return value;
}

/** The sender of a message that must have one. */
export function sourceOf(node: CallNode | TonTransferNode): Address {
  return known(node.data.source);
}

export function destinationOf(node: CallNode | TonTransferNode): Address {
  return known(node.data.destination);
}

export function coinsOf(node: CallNode | TonTransferNode): bigint {
  return node.data.value ?? 0n;
}

/** Whether the transaction of a message failed. */
export function isAborted(node: TraceNode): boolean {
  return node.nodes[0]?.failed ?? false;
}

/** A value that the action needs; refuses when it is absent. */
export function known<V>(value: V | undefined): V {
  if (value === undefined) throw noMatch("a value the action needs is not known");
  return value;
}
