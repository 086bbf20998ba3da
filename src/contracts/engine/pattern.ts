import type { Body } from "../kit/declare.ts";
import { ContractError } from "../kit/errors.ts";
import type { NodeKind } from "./kind.ts";
import { isBounce, isReply, noMatch } from "./messageParts.ts";
import { type CallNode, isCall, type TonTransferNode, tonTransfer } from "./nodes.ts";
import { isKind, type TraceNode } from "./TraceNode.ts";

/** Conditions around a node. */
export interface MatchContext {
  /** At least one child matches; all matching ones are taken. */
  readonly child?: Pattern;
  /** Each matches a different child. */
  readonly children?: readonly Pattern[];
  /** The node before it matches. */
  readonly parent?: Pattern;
  /** The rest may match without it. */
  readonly optional?: boolean;
  /**
   * Which children that only return money are merged too. By default all (excess and bounce), but none of the start
   * node.
   */
  readonly takesReplies?: "all" | "bounces" | "none";
}

interface One<B extends TraceNode> extends MatchContext {
  readonly test: (node: TraceNode) => boolean;
  /** The opcodes of the messages it finds; others too when absent. */
  readonly opcodes?: readonly number[];
  /** The kind of the nodes it finds; other kinds too when absent. */
  readonly kind?: NodeKind<unknown>;
  readonly optional: boolean;
  /** Never set: carries the type of the nodes it finds. */
  readonly finds?: B;
}

interface Alternatives<B extends TraceNode> {
  readonly oneOf: () => readonly Pattern<B>[];
  readonly optional: boolean;
  readonly finds?: B;
}

/** A pattern of messages; also the key of its nodes in a match. */
export type Pattern<B extends TraceNode = TraceNode> = One<B> | Alternatives<B>;

/** A node that passes a test. */
export function where<B extends TraceNode>(test: (node: TraceNode) => node is B, around?: MatchContext): Pattern<B>;
export function where(test: (node: TraceNode) => boolean, around?: MatchContext): Pattern;
export function where(test: (node: TraceNode) => boolean, around: MatchContext = {}): Pattern {
  return { optional: false, ...around, test };
}

/** A message with one of the opcodes. */
export function call(opcode: number | Body<unknown> | readonly number[], around: MatchContext = {}): Pattern<CallNode> {
  if (typeof opcode === "object" && "length" in opcode) {
    const set = new Set(opcode);
    const isOne = (node: TraceNode) => isCall(node) && set.has(node.data.opcode ?? -1);
    return { optional: false, ...around, opcodes: opcode, test: isOne };
  }
  const code = typeof opcode === "number" ? opcode : opcode.opcode;
  const isIt = (node: TraceNode) => isCall(node) && node.data.opcode === code;
  return { optional: false, ...around, opcodes: [code], test: isIt };
}

/** A plain transfer of TON. */
export function transfer(around?: MatchContext): Pattern<TonTransferNode> {
  return built(tonTransfer, around);
}

/** A node made by an earlier matcher. */
export function built<T>(kind: NodeKind<T>, around: MatchContext = {}): Pattern<TraceNode<T>> {
  const isIt = (node: TraceNode): node is TraceNode<T> => isKind(node, kind);
  return { optional: false, ...around, kind: kind as NodeKind<unknown>, test: isIt };
}

/** The first of several that matches. */
export function firstOf<B extends TraceNode>(
  patterns: readonly Pattern<B>[],
  { optional = false }: { readonly optional?: boolean } = {},
): Pattern<B> {
  return { oneOf: () => patterns, optional };
}

/** For recursive patterns. */
export function recursive<B extends TraceNode>(make: () => Pattern<B>, optional = false): Pattern<B> {
  return { oneOf: () => [make()], optional };
}

/** The work limit of one classification; a trace that needs more is only listed. */
export interface Budget {
  steps: number;
}

const maxDepth = 400;

/** The nodes that a pattern found. */
export class Match {
  readonly #found: [Pattern, TraceNode][] = [];
  /** All nodes to merge. */
  readonly members: TraceNode[] = [];

  /** The node found by this part of the pattern, if any. */
  find<B extends TraceNode>(pattern: Pattern<B>): B | undefined {
    // A pattern finds only nodes that its own test has narrowed to B.
    return this.#found.find(([key]) => key === pattern)?.[1] as B | undefined;
  }

  get<B extends TraceNode>(pattern: Pattern<B>): B {
    const node = this.find(pattern);
    if (node === undefined) throw noMatch("a part of the pattern was not found");
    return node;
  }

  list<B extends TraceNode>(pattern: Pattern<B>): B[] {
    // As in `find`.
    return this.#found.filter(([key]) => key === pattern).map(([, node]) => node as B);
  }

  /** For the engine: adds a node. */
  add(pattern: Pattern, node: TraceNode): void {
    this.#found.push([pattern, node]);
    this.members.push(node);
  }

  /** For the engine: adds a node that is already part of the match under another key. */
  note(pattern: Pattern, node: TraceNode): void {
    this.#found.push([pattern, node]);
  }

  /** For the engine: a position to return to. */
  mark(): readonly [number, number] {
    return [this.#found.length, this.members.length];
  }

  /** For the engine: drops what was found since. */
  reset([found, nodes]: readonly [number, number]): void {
    this.#found.length = found;
    this.members.length = nodes;
  }
}

/** The opcodes of the messages with which a pattern can begin; none where it can begin with any message. */
export function opcodesOf(pattern: Pattern): readonly number[] | undefined {
  return "oneOf" in pattern ? undefined : pattern.opcodes;
}

/** The kind of the nodes with which a pattern can begin; none where it can begin with several. */
export function kindOf(pattern: Pattern): NodeKind<unknown> | undefined {
  return "oneOf" in pattern ? undefined : pattern.kind;
}

/** A cheap first check: most nodes cannot begin most patterns. */
export function mayMatch(pattern: Pattern, node: TraceNode, budget: Budget): boolean {
  if ("oneOf" in pattern) return true;
  budget.steps--;
  return pattern.test(node);
}

/** Whether the pattern matches at the node; found nodes are added to the match. */
export function findPattern(pattern: Pattern, node: TraceNode, match: Match, budget: Budget, depth = 0): boolean {
  if (--budget.steps < 0) throw new ContractError("contracts/limit", "the trace takes too many steps to match");
  if (depth > maxDepth) return false;
  if ("oneOf" in pattern) {
    if (!pattern.oneOf().some((option) => findPattern(option, node, match, budget, depth + 1))) return false;
    match.note(pattern, node);
    return true;
  }
  if (!pattern.test(node)) return false;
  const mark = match.mark();
  match.add(pattern, node);
  if (findAround(pattern, node, match, budget, depth + 1)) return true;
  match.reset(mark);
  return false;
}

function findAround(pattern: MatchContext, node: TraceNode, match: Match, budget: Budget, depth: number): boolean {
  const { child, children, parent } = pattern;
  if (child !== undefined && !findEvery(child, node, match, budget, depth)) return false;
  if (children !== undefined && !findEach(children, node, match, budget, depth)) return false;
  if (parent !== undefined && !findParent(parent, node, match, budget, depth)) return false;
  const replies = pattern.takesReplies ?? (depth > 1 ? "all" : "none");
  if (replies !== "none") match.members.push(...node.next.filter(replies === "all" ? isReply : isBounce));
  return true;
}

function findEvery(child: Pattern, node: TraceNode, match: Match, budget: Budget, depth: number): boolean {
  let found = false;
  for (const next of node.next) {
    if (findPattern(child, next, match, budget, depth)) found = true;
  }
  return found || child.optional;
}

function findEach(children: readonly Pattern[], node: TraceNode, match: Match, budget: Budget, depth: number): boolean {
  const left = [...node.next];
  for (const child of children) {
    const at = left.findIndex((next) => findPattern(child, next, match, budget, depth));
    if (at >= 0) left.splice(at, 1);
    else if (!child.optional) return false;
  }
  return true;
}

function findParent(parent: Pattern, node: TraceNode, match: Match, budget: Budget, depth: number): boolean {
  if (node.previous === undefined) return parent.optional;
  return findPattern(parent, node.previous, match, budget, depth) || parent.optional;
}
