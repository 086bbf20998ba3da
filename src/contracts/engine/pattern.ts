import type { Cell } from "../../cell/Cell.ts";
import type { Address } from "../../model/Address.ts";
import { ContractError } from "../errors.ts";
import { type CallBlock, isCall, isTonTransfer, type TonTransferBlock } from "../families/transfer/blocks.ts";
import type { Body } from "../kit/declare.ts";
import type { NodeKind } from "./kind.ts";
import { isKind, type TraceNode } from "./TraceNode.ts";

/** What must be found around a block. */
export interface MatchContext {
  /** At least one child matches; all that do are taken. */
  readonly child?: Pattern;
  /** Each matches a different child. */
  readonly children?: readonly Pattern[];
  /** The block before it matches. */
  readonly parent?: Pattern;
  /** The rest may match without it. */
  readonly optional?: boolean;
  /**
   * Which children that only return money are merged too. By default all (excess and bounce), but none of the block
   * that a matcher starts from.
   */
  readonly takesReplies?: "all" | "bounces" | "none";
}

interface One<B extends TraceNode> extends MatchContext {
  readonly test: (block: TraceNode) => boolean;
  readonly optional: boolean;
  /** Never there: carries the type of the blocks it finds. */
  readonly finds?: B;
}

interface Alternatives<B extends TraceNode> {
  readonly oneOf: () => readonly Pattern<B>[];
  readonly optional: boolean;
  readonly finds?: B;
}

/** A shape of messages to look for; also the key under which its blocks are found in a match. */
export type Pattern<B extends TraceNode = TraceNode> = One<B> | Alternatives<B>;

export const excess = 0xd53276db;
export const bounce = 0xffffffff;

/** A block that passes a test. */
export function where<B extends TraceNode>(test: (block: TraceNode) => block is B, around?: MatchContext): Pattern<B>;
export function where(test: (block: TraceNode) => boolean, around?: MatchContext): Pattern;
export function where(test: (block: TraceNode) => boolean, around: MatchContext = {}): Pattern {
  return { optional: false, ...around, test };
}

/** A message with one of the opcodes. */
export function call(
  opcode: number | Body<unknown> | readonly number[],
  around: MatchContext = {},
): Pattern<CallBlock> {
  if (typeof opcode === "object" && "length" in opcode) {
    const set = new Set(opcode);
    return where((block): block is CallBlock => isCall(block) && set.has(block.data.opcode ?? -1), around);
  }
  const code = typeof opcode === "number" ? opcode : opcode.opcode;
  return where((block): block is CallBlock => isCall(block) && block.data.opcode === code, around);
}

/** A plain transfer of TON. */
export function transfer(around?: MatchContext): Pattern<TonTransferBlock> {
  return where(isTonTransfer, around);
}

/** A block an earlier matcher has made. */
export function built<T>(kind: NodeKind<T>, around?: MatchContext): Pattern<TraceNode<T>> {
  return where((block): block is TraceNode<T> => isKind(block, kind), around);
}

/** The first of several that matches. */
export function either<B extends TraceNode>(
  patterns: readonly Pattern<B>[],
  { optional = false }: { readonly optional?: boolean } = {},
): Pattern<B> {
  return { oneOf: () => patterns, optional };
}

/** For patterns that contain themselves. */
export function recursive<B extends TraceNode>(make: () => Pattern<B>, optional = false): Pattern<B> {
  return { oneOf: () => [make()], optional };
}

/** How much work one classification may be; beyond that the trace is only listed. */
export interface Budget {
  steps: number;
}

const maxDepth = 400;

/** The blocks a pattern found. */
export class Match {
  readonly #found: [Pattern, TraceNode][] = [];
  /** Everything that will be put together. */
  readonly blocks: TraceNode[] = [];

  /** The block found by this part of the pattern, if it was found. */
  find<B extends TraceNode>(pattern: Pattern<B>): B | undefined {
    // A pattern finds only blocks its own test has narrowed to B.
    return this.#found.find(([key]) => key === pattern)?.[1] as B | undefined;
  }

  get<B extends TraceNode>(pattern: Pattern<B>): B {
    const block = this.find(pattern);
    if (block === undefined) throw noMatch("a part of the pattern was not found");
    return block;
  }

  list<B extends TraceNode>(pattern: Pattern<B>): B[] {
    // As in `find`.
    return this.#found.filter(([key]) => key === pattern).map(([, block]) => block as B);
  }

  /** For the engine: notes a block. */
  add(pattern: Pattern, block: TraceNode): void {
    this.#found.push([pattern, block]);
    this.blocks.push(block);
  }

  /** For the engine: notes a block that is already part of the match under another key. */
  note(pattern: Pattern, block: TraceNode): void {
    this.#found.push([pattern, block]);
  }

  /** For the engine: how far it has come, to go back there. */
  mark(): readonly [number, number] {
    return [this.#found.length, this.blocks.length];
  }

  /** For the engine: forgets what was found since. */
  reset([found, blocks]: readonly [number, number]): void {
    this.#found.length = found;
    this.blocks.length = blocks;
  }
}

/** A first look that costs little: most blocks are not even the beginning of most patterns. */
export function mayMatch(pattern: Pattern, block: TraceNode, budget: Budget): boolean {
  if ("oneOf" in pattern) return true;
  budget.steps--;
  return pattern.test(block);
}

/** Whether the pattern is found at the block; what it found is added to the match. */
export function findPattern(pattern: Pattern, block: TraceNode, match: Match, budget: Budget, depth = 0): boolean {
  if (--budget.steps < 0) throw new ContractError("contracts/limit", "the trace takes too many steps to match");
  if (depth > maxDepth) return false;
  if ("oneOf" in pattern) {
    if (!pattern.oneOf().some((option) => findPattern(option, block, match, budget, depth + 1))) return false;
    match.note(pattern, block);
    return true;
  }
  if (!pattern.test(block)) return false;
  const mark = match.mark();
  match.add(pattern, block);
  if (findAround(pattern, block, match, budget, depth + 1)) return true;
  match.reset(mark);
  return false;
}

function findAround(pattern: MatchContext, block: TraceNode, match: Match, budget: Budget, depth: number): boolean {
  const { child, children, parent } = pattern;
  if (child !== undefined && !findEvery(child, block, match, budget, depth)) return false;
  if (children !== undefined && !findEach(children, block, match, budget, depth)) return false;
  if (parent !== undefined && !findParent(parent, block, match, budget, depth)) return false;
  const replies = pattern.takesReplies ?? (depth > 1 ? "all" : "none");
  if (replies !== "none") match.blocks.push(...block.next.filter(replies === "all" ? isReply : isBounce));
  return true;
}

function findEvery(child: Pattern, block: TraceNode, match: Match, budget: Budget, depth: number): boolean {
  let found = false;
  for (const next of block.next) {
    if (findPattern(child, next, match, budget, depth)) found = true;
  }
  return found || child.optional;
}

function findEach(
  children: readonly Pattern[],
  block: TraceNode,
  match: Match,
  budget: Budget,
  depth: number,
): boolean {
  const left = [...block.next];
  for (const child of children) {
    const at = left.findIndex((next) => findPattern(child, next, match, budget, depth));
    if (at >= 0) left.splice(at, 1);
    else if (!child.optional) return false;
  }
  return true;
}

function findParent(parent: Pattern, block: TraceNode, match: Match, budget: Budget, depth: number): boolean {
  if (block.previous === undefined) return parent.optional;
  return findPattern(parent, block.previous, match, budget, depth) || parent.optional;
}

/** A message that only returns what was left over. */
export function isReply(block: TraceNode): block is CallBlock {
  return isCall(block) && (block.data.opcode === excess || block.data.opcode === bounce);
}

function isBounce(block: TraceNode): boolean {
  return isCall(block) && block.data.opcode === bounce;
}

export function noMatch(reason: string): ContractError {
  return new ContractError("contracts/no-match", reason);
}

/** The message of a block of one message. */
export function messageOf(block: TraceNode): NonNullable<TraceNode["nodes"][number]["message"]> {
  const message = block.nodes[0]?.message;
  if (message === undefined) throw noMatch("the block has no message");
  return message;
}

export function cellOf(block: TraceNode): Cell {
  return messageOf(block).body;
}

/** The decoded body of a message; a body that does not fit is no match. */
export function bodyOf<T>(block: TraceNode, body: Body<T>): T {
  const value = body.find(cellOf(block));
  if (value === undefined) throw noMatch(`the message carries no ${body.name}`);
  return value;
}

/** The sender of a message that must have one. */
export function sourceOf(block: CallBlock | TonTransferBlock): Address {
  return known(block.data.source);
}

export function destinationOf(block: CallBlock | TonTransferBlock): Address {
  return known(block.data.destination);
}

export function coinsOf(block: CallBlock | TonTransferBlock): bigint {
  return block.data.value ?? 0n;
}

/** Whether the transaction of a message failed, whatever the message carried. */
export function isAborted(block: TraceNode): boolean {
  return block.nodes[0]?.failed ?? false;
}

/** What must be there for the event to be told. */
export function known<V>(value: V | undefined): V {
  if (value === undefined) throw noMatch("something the event needs is not known");
  return value;
}
